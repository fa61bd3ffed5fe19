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
	hello := func(megabytes int, held ...farm.Chunk) {
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
	if got := take(); len(got.Chunks) != 0 || got.Memory != 2 {
		t.Fatalf("with 1 MB: %+v, want no chunk, and 2 MB needed", got)
	}
	hello(5)
	held := take().Chunks
	if len(held) != 2 {
		t.Fatalf("with 5 MB: %d chunks, want 2", len(held))
	}
	hello(5, held...) // the connection was lost
	if got := take(); len(got.Chunks) != 0 || got.Memory != 0 {
		t.Fatalf("%+v with full memory, want no chunk, and nothing needed", got)
	}
	if err := f.result("A", held[0], held[0].Units[0], 0); err != nil {
		t.Fatal(err)
	}
	if got := take(); len(got.Chunks) != 1 {
		t.Fatalf("%d chunks after one was done, want 1", len(got.Chunks))
	}
}
