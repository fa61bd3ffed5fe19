// Package farmtest is the conformance suite for farm.Store: call [TestStore] with functions
// that open one.
package farmtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/farm"
)

// TestStore tests a store that open opens. reopen opens it again; then what was stored must still
// be there, unless it is in memory.
func TestStore(t *testing.T, open func(t *testing.T) farm.Store, reopen func(t *testing.T, s farm.Store) farm.Store) {
	t.Run("jobs", func(t *testing.T) { testJobs(t, open(t), reopen) })
	t.Run("results", func(t *testing.T) { testResults(t, open(t), reopen) })
	t.Run("first writer", func(t *testing.T) { testFirstWriter(t, open(t)) })
	t.Run("removal", func(t *testing.T) { testRemoval(t, open(t), reopen) })
	t.Run("workers", func(t *testing.T) { testWorkers(t, open(t), reopen) })
}

func job(n int) string { return farm.ID(fmt.Append(nil, n)) }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func testJobs(t *testing.T, s farm.Store, reopen func(*testing.T, farm.Store) farm.Store) {
	ctx := context.Background()
	at := time.Unix(1_000_000, 0).UTC()
	for n := range 3 {
		check(t, s.PutJob(ctx, job(n), fmt.Appendf(nil, "spec %d", n), farm.JobState{Priority: n + 1, Submitted: at}))
	}
	if err := s.PutJob(ctx, job(1), []byte("other"), farm.JobState{}); !errors.Is(err, farm.ErrExists) {
		t.Errorf("a job twice: %v, want %v", err, farm.ErrExists)
	}
	check(t, s.SetJobState(ctx, job(1), farm.JobState{Priority: 50, Stopped: true, Submitted: at}))
	if err := s.SetJobState(ctx, job(9), farm.JobState{}); !errors.Is(err, farm.ErrNotFound) {
		t.Errorf("the state of no job: %v, want %v", err, farm.ErrNotFound)
	}
	s = reopen(t, s)
	var got []string
	check(t, s.Jobs(ctx, func(id string, spec []byte, state farm.JobState) error {
		got = append(got, fmt.Sprintf("%s %s %d %v %v", id, spec, state.Priority, state.Stopped, state.Submitted.Equal(at)))
		return nil
	}))
	want := []string{job(0) + " spec 0 1 false true", job(1) + " spec 1 50 true true", job(2) + " spec 2 3 false true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// results lists all results of a store.
func results(t *testing.T, s farm.Store) (list []string) {
	t.Helper()
	check(t, s.Results(context.Background(), func(job string, r farm.Stored) error {
		list = append(list, fmt.Sprintf("%.4s %d %s %x", job, r.Unit, r.Worker, string(r.Digest)))
		return nil
	}))
	slices.Sort(list)
	return list
}

func testResults(t *testing.T, s farm.Store, reopen func(*testing.T, farm.Store) farm.Store) {
	ctx := context.Background()
	long := strings.Repeat("x", farm.MaxPayloadBytes)
	for unit := range 5 {
		check(t, s.PutResult(ctx, job(1), farm.Stored{Unit: unit, Worker: "W", Digest: farm.Digest([]byte{byte(unit), 0, 255})}, []byte(long[unit:])))
	}
	check(t, s.PutResult(ctx, job(2), farm.Stored{Unit: 999_999, Worker: "V", Digest: "d"}, []byte("p")))
	if err := s.PutResult(ctx, job(1), farm.Stored{Unit: 3, Worker: "V"}, []byte("other")); !errors.Is(err, farm.ErrExists) {
		t.Errorf("a result twice: %v, want %v", err, farm.ErrExists)
	}
	check(t, s.DeleteResult(ctx, job(1), 4))
	check(t, s.DeleteResult(ctx, job(1), 4))
	check(t, s.DeleteResult(ctx, job(1), 2))
	check(t, s.PutResult(ctx, job(1), farm.Stored{Unit: 2, Worker: "V", Digest: "new"}, []byte("again")))
	s = reopen(t, s)
	want := []string{
		fmt.Sprintf("%.4s 0 W 0000ff", job(1)), fmt.Sprintf("%.4s 1 W 0100ff", job(1)), fmt.Sprintf("%.4s 2 V 6e6577", job(1)),
		fmt.Sprintf("%.4s 3 W 0300ff", job(1)), fmt.Sprintf("%.4s 999999 V 64", job(2)),
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, results(t, s)); diff != "" {
		t.Error(diff)
	}
	r, payload, err := s.Result(ctx, job(1), 2)
	if err != nil || r.Worker != "V" || r.Digest != "new" || r.Unit != 2 || string(payload) != "again" {
		t.Errorf("result %+v %s, %v", r, payload, err)
	}
	if _, payload, err := s.Result(ctx, job(1), 0); err != nil || string(payload) != long {
		t.Errorf("a long result has %d bytes, %v", len(payload), err)
	}
	if _, _, err := s.Result(ctx, job(1), 4); !errors.Is(err, farm.ErrNotFound) {
		t.Errorf("a deleted result: %v, want %v", err, farm.ErrNotFound)
	}
}

// testRemoval removes one of two jobs, and stores it again.
func testRemoval(t *testing.T, s farm.Store, reopen func(*testing.T, farm.Store) farm.Store) {
	ctx := context.Background()
	for n := range 2 {
		check(t, s.PutJob(ctx, job(n), fmt.Appendf(nil, "spec %d", n), farm.JobState{Priority: 1}))
		for unit := range 3 {
			check(t, s.PutResult(ctx, job(n), farm.Stored{Unit: unit, Worker: "W", Digest: "d"}, []byte("p")))
		}
	}
	check(t, s.DeleteJob(ctx, job(0)))
	check(t, s.DeleteJob(ctx, job(0)))
	s = reopen(t, s)
	var left []string
	check(t, s.Jobs(ctx, func(id string, _ []byte, _ farm.JobState) error { left = append(left, id); return nil }))
	if diff := cmp.Diff([]string{job(1)}, left); diff != "" {
		t.Error(diff)
	}
	if list := results(t, s); len(list) != 3 || !strings.HasPrefix(list[0], job(1)[:4]) {
		t.Errorf("results %v: want those of the other job", list)
	}
	check(t, s.PutJob(ctx, job(0), []byte("spec 0"), farm.JobState{Priority: 1}))
	check(t, s.PutResult(ctx, job(0), farm.Stored{Unit: 1, Worker: "W", Digest: "d"}, []byte("p")))
}

// testFirstWriter lets eight writers race for each unit: one wins, and its result stays.
func testFirstWriter(t *testing.T, s farm.Store) {
	ctx := context.Background()
	const units, writers = 20, 8
	var won [units]atomic.Int32
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for unit := range units {
				err := s.PutResult(ctx, job(3), farm.Stored{Unit: unit, Worker: fmt.Sprint(w)}, fmt.Append(nil, w))
				switch {
				case err == nil:
					won[unit].Add(int32(w) + 1)
				case !errors.Is(err, farm.ErrExists):
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for unit := range units {
		r, payload, err := s.Result(ctx, job(3), unit)
		if want := fmt.Sprint(won[unit].Load() - 1); err != nil || r.Worker != want || string(payload) != want {
			t.Errorf("unit %d is of %s %s, %v: want that of %s", unit, r.Worker, payload, err, want)
		}
	}
}

func testWorkers(t *testing.T, s farm.Store, reopen func(*testing.T, farm.Store) farm.Store) {
	ctx := context.Background()
	check(t, s.SetWorker(ctx, "W", farm.WorkerState{Pairs: 1}))
	check(t, s.SetWorker(ctx, "V", farm.WorkerState{Pairs: 3}))
	check(t, s.SetWorker(ctx, "W", farm.WorkerState{Pairs: 2, Quarantined: true, Reason: "it lies"}))
	s = reopen(t, s)
	got, err := s.Workers(ctx)
	check(t, err)
	want := map[string]farm.WorkerState{"W": {Pairs: 2, Quarantined: true, Reason: "it lies"}, "V": {Pairs: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
