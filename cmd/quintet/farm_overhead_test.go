//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	"quintet/lab/await"
)

// overheadMatch is a match of games of about 100 ms. With two threads, which mcts does
// not use, a farm takes the games for random ones and replays none.
func overheadMatch(games int) []string {
	return []string{"arena", "othello", "--size", "6", "--a", "mcts", "--b", "mcts", "--threads", "2", "--nodes", "6000", "--games", fmt.Sprint(games), "--json"}
}

// spent returns the processor time of a program that has ended.
func spent(c *exec.Cmd) time.Duration {
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// farmTime is the processor time of a match on a farm, without what its programs take to
// start.
type farmTime struct{ workers, coordinator, client time.Duration }

func (f farmTime) sum() time.Duration { return f.workers + f.coordinator + f.client }

// overFarm plays a match on a farm of the given number of workers with one slot each. It
// measures from the moment when the job is there: to start takes as long as several games, and
// differs from run to run by more than the overhead. A worker and the local match have a
// processor to themselves: beside other programs, which evict their caches, the same moves take
// up to 2 % longer.
func overFarm(t *testing.T, games, workers int) (took farmTime) {
	t.Helper()
	dir := t.TempDir()
	c := coordinate(t, dir, "127.0.0.1:0")
	defer end(c)
	var list []*exec.Cmd
	pin(t, c, others)
	for i := range workers {
		w := spawn(t, nil, "worker", dir, "--key", filepath.Join(dir, "keys", "worker.key"), "--slots", "1")
		defer end(w)
		pin(t, w, i)
		list = append(list, w)
	}
	conn := clientOf(t, dir)
	await.Until(t, "all slots", func() bool { return slotsOf(present(t, conn)) == workers })
	var said bytes.Buffer
	run := spawn(t, &said, append(overheadMatch(games), "--farm", dir)...)
	pin(t, run, others)
	await.Until(t, "the job", func() bool { return len(jobsOf(t, conn)) > 0 })
	before := farmTime{coordinator: timeOf(t, c), client: timeOf(t, run)}
	for _, w := range list {
		before.workers += timeOf(t, w)
	}
	if err := run.Wait(); err != nil {
		t.Fatal(err, said.String())
	}
	took = farmTime{-before.workers, timeOf(t, c) - before.coordinator, spent(run) - before.client}
	for _, w := range list {
		took.workers += timeOf(t, w)
	}
	return took
}

// others is the processor of the coordinator and the client. The first one belongs to the first
// worker or the local match.
const others = 1

// pin lets a program run on one processor only.
func pin(t *testing.T, c *exec.Cmd, processor int) {
	t.Helper()
	set := exec.CommandContext(t.Context(), "taskset", "--all-tasks", "--cpu-list", "--pid", strconv.Itoa(processor), strconv.Itoa(c.Process.Pid))
	if said, err := set.CombinedOutput(); err != nil {
		t.Fatalf("giving a program a processor: %v: %s (taskset is in the package util-linux; the machine needs two processors)", err, said)
	}
}

// timeOf returns the processor time of a program that runs.
func timeOf(t *testing.T, c *exec.Cmd) time.Duration {
	t.Helper()
	cpu, _ := processTime(t, c.Process.Pid)
	return cpu
}

func jobsOf(t *testing.T, conn *natsrpc.Conn) (list []scheduler.JobView) {
	t.Helper()
	if err := conn.Ask(t.Context(), "jobs", struct{}{}, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func clientOf(t *testing.T, dir string) *natsrpc.Conn {
	t.Helper()
	at := farmAt{role: natsrpc.RoleClient}
	conn, err := at.dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func present(t *testing.T, conn *natsrpc.Conn) (list []scheduler.WorkerView) {
	t.Helper()
	if err := conn.Ask(context.Background(), "workers", struct{}{}, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func slotsOf(list []scheduler.WorkerView) (n int) {
	for _, w := range list {
		n += w.Slots
	}
	return n
}

// TestFarmOverhead compares the processor time of a match on one machine, on a farm of
// one worker and on one of two, by program.
func TestFarmOverhead(t *testing.T) {
	measured(t, "overhead")
	games, rounds := 200, 3
	if n, err := strconv.Atoi(os.Getenv("QUINTET_FARM_GAMES")); err == nil {
		games = n
	}
	const few = 2 // games whose time stands for the start of the local match
	local := func(n int) time.Duration {
		c := spawn(t, nil, append(overheadMatch(n), "--concurrency", "1")...)
		pin(t, c, 0)
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		return spent(c)
	}
	for range rounds {
		before := local(games+few) - local(few)
		one := overFarm(t, games, 1)
		after := local(games+few) - local(few) // the machine's speed drifts
		alone := (before + after).Seconds() / 2
		two := overFarm(t, games, 2)
		percent := func(d time.Duration) float64 { return 100 * d.Seconds() / alone }
		t.Logf("%d games: local %.2f s; farm %+.2f %%: worker %+.2f %%, coordinator %.2f %%, client %.2f %%; two workers are worth %.3f by processor time",
			games, alone, percent(one.sum())-100, percent(one.workers)-100, percent(one.coordinator), percent(one.client),
			2*one.workers.Seconds()/two.workers.Seconds())
	}
}

// TestFarmTimes measures on real processes how long a killed worker's units are leased,
// and what a worker computes after its job has been stopped.
func TestFarmTimes(t *testing.T) {
	measured(t, "times")
	dir := t.TempDir()
	c := coordinate(t, dir, "127.0.0.1:0")
	defer end(c)
	conn := clientOf(t, dir)
	submit := spawn(t, nil, "arena", "othello", "--a", "mcts", "--b", "mcts", "--nodes", "100000", "--games", "1000", "--farm", dir, "--detach")
	if err := submit.Wait(); err != nil {
		t.Fatal(err)
	}
	job := func() scheduler.JobView { return jobsOf(t, conn)[0] }
	w := spawn(t, nil, "worker", dir, "--slots", "1")
	await.Until(t, "a slot that plays", func() bool { return job().Slots == 1 })
	time.Sleep(6 * time.Second) // a heartbeat
	killed := time.Now()
	end(w)
	await.Until(t, "free slots", func() bool { return job().Slots == 0 })
	t.Logf("units of a killed worker are offered again after %.1f s", time.Since(killed).Seconds())

	w = spawn(t, nil, "worker", dir, "--slots", "1")
	defer end(w)
	await.Until(t, "a slot that plays", func() bool { return job().Slots == 1 })
	time.Sleep(time.Second)
	if err := conn.Ask(t.Context(), "stop", farm.JobRequest{Job: job().ID}, nil); err != nil {
		t.Fatal(err)
	}
	before, _ := processTime(t, w.Process.Pid)
	time.Sleep(4 * time.Second)
	after, _ := processTime(t, w.Process.Pid)
	t.Logf("in the 4 s after its job is stopped a worker computes for %.2f s", (after - before).Seconds())
}
