package pipe

import (
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"quintet/engine"
)

// TestBackground checks that every thread of the engine process has the policy SCHED_IDLE.
func TestBackground(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "background")
	g := gameOf(t, "loa")
	s := searcher(p, g)
	s.Search(t.Context(), start(t, g), engine.Limit{Depth: 2}, nil)
	threads, err := os.ReadDir("/proc/" + strconv.Itoa(p.child.cmd.Process.Pid) + "/task")
	if err != nil || len(threads) < 2 {
		t.Fatalf("%d threads, %v", len(threads), err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			t.Fatal(err)
		}
		if attr, err := unix.SchedGetAttr(id, 0); err != nil || attr.Policy != unix.SCHED_IDLE {
			t.Errorf("thread %d of %d: %+v, %v", id, len(threads), attr, err)
		}
	}
}
