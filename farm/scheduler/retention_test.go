package scheduler_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"quintet/farm"
)

// TestRetention checks that a job is removed when its retention ends, not earlier, and
// also across a restart.
func TestRetention(t *testing.T) {
	const keep = 48 * time.Hour
	f := newSimulation(t, spec(4, nil), 1)
	f.keep = keep
	f.start(0)
	f.scheduler.RemoveOld(t.Context())
	f.at = f.at.Add(10 * keep)
	f.hellos("A")
	f.scheduler.RemoveOld(t.Context())
	f.doAll("A", nil)
	for range 2 {
		f.scheduler.RemoveOld(t.Context())
	}
	f.at = f.at.Add(keep)
	f.start(0)
	f.scheduler.RemoveOld(t.Context())
	if v, err := f.scheduler.Show(f.id); err != nil || v.Status != "finished" {
		t.Fatalf("%+v, %v: want the job kept for %v", v, err, keep)
	}
	f.at = f.at.Add(time.Second)
	f.scheduler.RemoveOld(t.Context())
	if list := f.scheduler.Jobs(); len(list) != 0 {
		t.Errorf("%+v: want the job removed after %v", list, keep)
	}
}

// fullStore is a store that can be full.
type fullStore struct {
	farm.Store

	full bool
}

func (s *fullStore) PutResult(ctx context.Context, job string, r farm.Stored, payload []byte) error {
	if s.full {
		return fmt.Errorf("%w: a test", farm.ErrFull)
	}
	return s.Store.PutResult(ctx, job, r, payload)
}

// TestFullStore checks that a worker keeps its lease while its result waits for disk
// space, and that the unit does not fail.
func TestFullStore(t *testing.T) {
	f := newSimulation(t, spec(4, nil), 1)
	store := &fullStore{Store: f.store, full: true}
	f.store = store
	f.start(0)
	f.hellos("A")
	c := f.take("A")[0]
	for range 100 {
		f.at = f.at.Add(10 * time.Second)
		if _, err := f.scheduler.Heartbeat("A", farm.HeartbeatRequest{Instance: "1"}); err != nil {
			t.Fatal(err)
		}
		if err := f.result("A", c, c.Units[0], 0); !farm.HasCode(err, farm.CodeFull) {
			t.Fatalf("%v, want the error of a full store", err)
		}
		f.scheduler.Sweep()
	}
	if v, _ := f.scheduler.Show(f.id); v.Slots != 1 || len(v.Trouble) != 0 {
		t.Fatalf("%+v: want the lease to go on", v)
	}
	store.full = false
	if err := f.result("A", c, c.Units[0], 0); err != nil {
		t.Fatal(err)
	}
}
