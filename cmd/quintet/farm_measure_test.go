//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	"quintet/farm/worker"
	"quintet/lab/await"
)

// measured skips a test that measures, unless it is wanted: make farm runs them.
func measured(t *testing.T, what string) {
	t.Helper()
	if wanted := os.Getenv("QUINTET_FARM_MEASURE"); wanted != what && wanted != "all" {
		t.Skip("a measurement: make farm runs it")
	}
}

// spawn starts this program with arguments.
func spawn(t *testing.T, out *bytes.Buffer, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(context.Background(), path, args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	if out != nil {
		c.Stdout, c.Stderr = out, out
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// end kills a program.
func end(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// coordinate starts a coordinator at an address and waits until it is there.
func coordinate(t *testing.T, dir, addr string) *exec.Cmd {
	t.Helper()
	_ = os.Remove(filepath.Join(dir, addressFile))
	c := spawn(t, nil, "coordinator", "--data", dir, "--listen", addr, "--http", "")
	await.Until(t, "the start of the coordinator", func() bool {
		_, err := os.Stat(filepath.Join(dir, addressFile))
		return err == nil
	})
	return c
}

// processTime returns the processor time of a process, and its largest memory in MB.
func processTime(t *testing.T, pid int) (cpu time.Duration, megabytes int) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, f := range fields[11:13] {
		ticks, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		cpu += time.Duration(ticks) * 10 * time.Millisecond
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(status); m != nil {
		kilobytes, _ := strconv.Atoi(string(m[1]))
		megabytes = kilobytes / 1000
	}
	return cpu, megabytes
}

// TestFarmSlots measures a thousand simulated slots: games of random players that
// seem to take five seconds each, in eight processes' worth of workers.
func TestFarmSlots(t *testing.T) {
	measured(t, "slots")
	const workers, slots, gameTime, span = 8, 125, 5 * time.Second, 40 * time.Second
	dir := t.TempDir()
	c := coordinate(t, dir, "127.0.0.1:0")
	defer end(c)
	ctx, cancel := context.WithCancel(context.Background())
	build, speed, err := farmBuild(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for i := range workers {
		at := farmAt{role: natsrpc.RoleWorker}
		conn, err := at.dial(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		hello := farm.Hello{Version: farm.Version, Build: build, Instance: fmt.Sprint(i), Host: "simulated", Slots: slots, Speed: speed}
		all.Go(func() {
			_ = worker.Run(ctx, worker.Config{Coordinator: conn, Hello: hello, Log: slog.New(slog.DiscardHandler), Kinds: farm.Kinds{jobtypes.MatchName: func(settings []byte) (farm.Task, error) {
				task, err := farmKinds()[jobtypes.MatchName](settings)
				return slowly{task, 2 * gameTime}, err
			}}})
		})
	}
	submit := spawn(t, nil, "arena", "othello", "--a", "random", "--b", "random", "--nodes", "1", "--games", "100000", "--farm", dir, "--detach")
	if err := submit.Wait(); err != nil {
		t.Fatal(err)
	}
	client := farmAt{role: natsrpc.RoleClient}
	conn, err := client.dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ended := func() int {
		var list []scheduler.JobView
		if err := conn.Ask(ctx, "jobs", struct{}{}, &list); err != nil {
			t.Fatal(err)
		}
		return list[0].Games
	}
	time.Sleep(3 * gameTime)
	games, began := ended(), time.Now()
	cpu, _ := processTime(t, c.Process.Pid)
	time.Sleep(span)
	games, took := ended()-games, time.Since(began)
	after, megabytes := processTime(t, c.Process.Pid)
	t.Logf("%d slots: %.1f games/s of %.0f, coordinator %.1f %% of a core, %d MB",
		workers*slots, float64(games)/took.Seconds(), workers*slots/gameTime.Seconds(), 100*(after-cpu).Seconds()/took.Seconds(), megabytes)
}

// slowly is a task whose units are done at once and delivered after a time.
type slowly struct {
	farm.Task

	unitTime time.Duration
}

func (s slowly) NewRunner(speed float64) (farm.Runner, error) {
	r, err := s.Task.NewRunner(speed)
	return farm.RunnerFunc(func(ctx context.Context, unit int, progress func()) ([]byte, error) {
		payload, err := r.Do(ctx, unit, progress)
		ticks := time.NewTicker(s.unitTime / 10)
		defer ticks.Stop()
		for range 10 {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-ticks.C:
				progress()
			}
		}
		return payload, err
	}), err
}

// TestFarmChaos plays a match over workers that are killed and paused, and a
// coordinator with its NATS server that is killed, and compares it with a local run.
func TestFarmChaos(t *testing.T) {
	measured(t, "chaos")
	games := 10_000
	if n, err := strconv.Atoi(os.Getenv("QUINTET_FARM_GAMES")); err == nil {
		games = n
	}
	dir, records := t.TempDir(), t.TempDir()
	args := []string{"arena", "othello", "--size", "6", "--a", "mcts", "--b", "level:2", "--nodes", "40", "--games", fmt.Sprint(games), "--json"}
	var local, shared bytes.Buffer
	l := spawn(t, &local, append(args, "--record", filepath.Join(records, "local"))...)
	if err := l.Wait(); err != nil {
		t.Fatal(err, local.String())
	}
	addr := freeAddress(t)
	c := coordinate(t, dir, addr)
	run := spawn(t, &shared, append(args, "--record", filepath.Join(records, "shared"), "--farm", "nats://"+addr, "--key", filepath.Join(dir, "keys", "client.key"))...)
	done := make(chan error, 1)
	go func() { done <- run.Wait() }()
	fleet := newFleet(t, addr, dir, 8)
	kills := 0
	for random, wait := rand.New(rand.NewPCG(1, 1)), true; wait; {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err, shared.String())
			}
			wait = false
		case <-time.After(2*time.Second + time.Duration(random.Int64N(int64(3*time.Second)))):
			if fleet.disturb(random); random.IntN(2) == 0 && kills < 20 {
				end(c)
				c = coordinate(t, dir, addr)
				kills++
			}
		}
	}
	fleet.end()
	end(c)
	first, last := recordedGames(t, filepath.Join(records, "local")), recordedGames(t, filepath.Join(records, "shared"))
	if first != last || !strings.HasSuffix(shared.String(), local.String()) {
		t.Errorf("the runs differ:\n%s\n%s", local.String(), shared.String())
	}
	t.Logf("%d games: the same records and result; %d kills and %d pauses of 40 s of workers, %d kills of the coordinator", games, fleet.kills, fleet.pauses, kills)
}

// freeAddress returns an address at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	var listen net.ListenConfig
	l, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// recordedGames returns the lines of a record in order, without times.
func recordedGames(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`"times_ms":\[[^\]]*\]`).ReplaceAllString(string(text), "")
}

// fleet is workers that are disturbed.
type fleet struct {
	t             *testing.T
	start         func() *exec.Cmd
	workers       []*exec.Cmd
	paused        map[int]time.Time
	kills, pauses int
}

func newFleet(t *testing.T, addr, dir string, n int) *fleet {
	t.Helper()
	f := &fleet{t: t, paused: map[int]time.Time{}}
	f.start = func() *exec.Cmd {
		return spawn(t, nil, "worker", "nats://"+addr, "--key", filepath.Join(dir, "keys", "worker.key"), "--slots", "1", "--nice")
	}
	for range n {
		f.workers = append(f.workers, f.start())
	}
	return f
}

// disturb kills or pauses a worker, and continues those that were paused for 40 s.
func (f *fleet) disturb(random *rand.Rand) {
	for i, since := range f.paused {
		if time.Since(since) > 40*time.Second {
			_ = f.workers[i].Process.Signal(syscall.SIGCONT)
			delete(f.paused, i)
		}
	}
	i := random.IntN(len(f.workers))
	if _, ok := f.paused[i]; ok {
		return
	}
	if random.IntN(2) == 0 {
		end(f.workers[i])
		f.workers[i] = f.start()
		f.kills++
		return
	}
	_ = f.workers[i].Process.Signal(syscall.SIGSTOP)
	f.paused[i] = time.Now()
	f.pauses++
}

func (f *fleet) end() {
	for _, c := range f.workers {
		end(c)
	}
}
