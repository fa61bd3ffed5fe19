package scheduler_test

import (
	"testing"

	"quintet/farm"
)

// TestMemory checks that a worker is leased no more than fits into its memory, and learns
// what a slot needs if none fits. The job of the test needs 2 MB a slot. The job of the
// test needs 2 MB a slot.
func TestMemory(t *testing.T) {
	f := newSimulation(t, spec(40, nil), 1)
	hello := func(megabytes int, held ...farm.Lease) {
		t.Helper()
		m := farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 8, Memory: megabytes, Leases: held}
		if err := f.scheduler.Hello("A", m); err != nil {
			t.Fatal(err)
		}
	}
	take := func() farm.TakeReply {
		t.Helper()
		taken, err := f.scheduler.Take("A", farm.TakeRequest{Instance: "1", Slots: 8})
		if err != nil {
			t.Fatal(err)
		}
		return taken
	}
	hello(1)
	if got := take(); len(got.Leases) != 0 || got.Memory != 2 {
		t.Fatalf("with 1 MB: %+v, want no lease, and 2 MB needed", got)
	}
	hello(5)
	held := take().Leases
	if len(held) != 2 {
		t.Fatalf("with 5 MB: %d leases, want 2", len(held))
	}
	hello(5, held...) // the connection was lost
	if got := take(); len(got.Leases) != 0 || got.Memory != 0 {
		t.Fatalf("%+v with full memory, want no lease, and nothing needed", got)
	}
	if err := f.result("A", held[0], held[0].Units[0], 0); err != nil {
		t.Fatal(err)
	}
	if got := take(); len(got.Leases) != 1 {
		t.Fatalf("%d leases after one was done, want 1", len(got.Leases))
	}
}
