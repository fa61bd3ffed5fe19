package jet_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quintet/farm"
	"quintet/farm/jet"
	"quintet/lab/await"
	livejet "quintet/live/jet"
)

// beside returns several stores on one server.
func beside(t *testing.T, n int) (list []*jet.Store) {
	t.Helper()
	s, err := livejet.StartServer(&server.Options{DontListen: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	for range n {
		conn, err := nats.Connect("", nats.InProcessServer(s))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		store, err := jet.Open(t.Context(), conn, 1, jet.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, store)
	}
	return list
}

const term = 500 * time.Millisecond

func lead(t *testing.T, s *jet.Store, name string) *jet.Lease {
	t.Helper()
	l, err := s.Lead(t.Context(), name, term, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// changes are what a leader writes, by name.
func changes(s *jet.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"a state":    func(ctx context.Context) error { return s.SetJobState(ctx, "a", farm.JobState{Priority: 7}) },
		"a worker":   func(ctx context.Context) error { return s.SetWorker(ctx, "W", farm.WorkerState{}) },
		"a job":      func(ctx context.Context) error { return s.PutJob(ctx, "b", []byte("spec"), farm.JobState{}) },
		"a result's": func(ctx context.Context) error { return s.DeleteResult(ctx, "a", 0) },
		"a job's":    func(ctx context.Context) error { return s.DeleteJob(ctx, "b") },
	}
}

// TestFencing checks that a paused leader that was replaced cannot change anything.
func TestFencing(t *testing.T) {
	stores := beside(t, 2)
	ctx := t.Context()
	lead(t, stores[0], "old") // it is paused at once: the lease is not renewed
	if err := stores[0].PutJob(ctx, "a", []byte("spec"), farm.JobState{Priority: 1}); err != nil {
		t.Fatal(err)
	}
	if err := stores[0].PutResult(ctx, "a", farm.Stored{Unit: 0, Worker: "W"}, []byte("p")); err != nil {
		t.Fatal(err)
	}
	lead(t, stores[1], "new")
	for name, change := range changes(stores[0]) {
		if err := change(ctx); !errors.Is(err, jet.ErrFenced) {
			t.Errorf("%s of the old leader: %v, want %v", name, err, jet.ErrFenced)
		}
	}
	err := stores[1].Jobs(ctx, func(id string, _ []byte, state farm.JobState) error {
		if id != "a" || state.Priority != 1 {
			t.Errorf("job %s of priority %d, want a of priority 1", id, state.Priority)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := stores[1].Result(ctx, "a", 0); err != nil {
		t.Errorf("the result: %v", err)
	}
	for _, name := range []string{"a state", "a worker", "a job", "a result's", "a job's"} {
		if err := changes(stores[1])[name](ctx); err != nil {
			t.Errorf("%s of the new leader: %v", name, err)
		}
	}
}

// TestSlowLease checks that a lease counts from before it was written: if the write takes
// longer than the lease lasts, another coordinator may lead already.
func TestSlowLease(t *testing.T) {
	s := beside(t, 1)[0]
	l := lead(t, s, "slow")
	if err := l.Renew(t.Context()); err != nil || !l.Valid() {
		t.Fatalf("%v: want the lease renewed", err)
	}
	s.DelayAcknowledgements(term)
	if err := l.Renew(t.Context()); err != nil || l.Valid() {
		t.Errorf("%v: the lease is valid when its renewal took as long as it lasts", err)
	}
	if lead(t, s, "slow").Valid() {
		t.Error("the lease is valid when taking it over took as long as it lasts")
	}
}

// TestLease checks that a renewed lease stays, that a released one passes on at once, and
// that an owner learns of its loss.
func TestLease(t *testing.T) {
	stores := beside(t, 3)
	first := lead(t, stores[0], "first")
	ctx, giveUp := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { first.Run(ctx) })
	short, cancel := context.WithTimeout(t.Context(), 3*term)
	defer cancel()
	told := ""
	if _, err := stores[1].Lead(short, "second", term, func(leader string) { told = leader }); err == nil && first.Valid() {
		t.Error("two coordinators lead")
	} else if told != "first" {
		t.Errorf("the second was told that %q leads", told)
	}
	giveUp()
	all.Wait()
	await.Receive(t, "the loss of the first lease", first.Lost())
	if first.Valid() {
		t.Error("a lease that was given up is valid")
	}
	paused := lead(t, stores[1], "second")
	lead(t, stores[2], "third")
	if paused.Valid() {
		t.Error("the lease of the second is valid while the third leads")
	}
	paused.Run(t.Context())
	await.Receive(t, "the loss of the paused lease", paused.Lost())
}
