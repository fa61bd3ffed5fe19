//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/hub"
	"quintet/farm/wire"
	"quintet/internal/await"
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

// overFarm plays a match on a farm of so many workers with one slot each, and returns the
// processor time of the whole farm with the client, and that of the workers.
func overFarm(t *testing.T, games, workers int) (all, working time.Duration) {
	t.Helper()
	dir := t.TempDir()
	c := coordinate(t, dir, "127.0.0.1:0")
	t.Cleanup(func() { end(c) })
	var list []*exec.Cmd
	for range workers {
		w := spawn(t, nil, "worker", dir, "--key", filepath.Join(dir, "keys", "worker.key"), "--slots", "1")
		t.Cleanup(func() { end(w) })
		list = append(list, w)
	}
	conn := clientOf(t, dir)
	await.Until(t, "all slots", func() bool { return slotsOf(present(t, conn)) == workers })
	var said bytes.Buffer
	run := spawn(t, &said, append(overheadMatch(games), "--farm", dir)...)
	if err := run.Wait(); err != nil {
		t.Fatal(err, said.String())
	}
	for _, w := range list {
		end(w)
		working += spent(w)
	}
	end(c)
	return working + spent(c) + spent(run), working
}

func clientOf(t *testing.T, dir string) *wire.Conn {
	t.Helper()
	at := farmAt{role: wire.RoleClient}
	conn, err := at.dial(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func present(t *testing.T, conn *wire.Conn) (list []hub.WorkerView) {
	t.Helper()
	if err := conn.Ask(context.Background(), "workers", struct{}{}, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func slotsOf(list []hub.WorkerView) (n int) {
	for _, w := range list {
		n += w.Slots
	}
	return n
}

// TestFarmOverhead compares the processor time of a match on one machine, on a farm of
// one worker and on one of two. What starting takes is subtracted.
func TestFarmOverhead(t *testing.T) {
	measured(t, "overhead")
	const few, games, rounds = 2, 202, 3
	for range rounds {
		var alone [2]time.Duration
		for i, n := range []int{few, games} {
			local := spawn(t, nil, append(overheadMatch(n), "--concurrency", "1")...)
			if err := local.Wait(); err != nil {
				t.Fatal(err)
			}
			alone[i] = spent(local)
		}
		oneStart, oneIdle := overFarm(t, few, 1)
		one, oneWorking := overFarm(t, games, 1)
		_, twoIdle := overFarm(t, few, 2)
		_, twoWorking := overFarm(t, games, 2)
		t.Logf("%d games: local %.2f s, one worker and the rest of the farm %+.2f %%; two workers are worth %.3f by processor time",
			games-few, (alone[1] - alone[0]).Seconds(), 100*((one-oneStart).Seconds()/(alone[1]-alone[0]).Seconds()-1),
			2*(oneWorking-oneIdle).Seconds()/(twoWorking-twoIdle).Seconds())
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
	job := func() hub.JobView {
		var list []hub.JobView
		if err := conn.Ask(t.Context(), "jobs", struct{}{}, &list); err != nil || len(list) != 1 {
			t.Fatal(len(list), err)
		}
		return list[0]
	}
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
