package run_test

import (
	"strconv"
	"strings"
	"testing"

	"quintet/internal/platform"
	"quintet/judge/run"
)

// TestPriority starts programs from a thread with a lower priority, which they must inherit, in each sandbox.
func TestPriority(t *testing.T) {
	nice := func(s run.Sandbox) int {
		out := runScript(t, s, "nice", limits)
		n, err := strconv.Atoi(strings.TrimSpace(out.Output))
		if err != nil {
			t.Errorf("%+v", out)
		}
		return n
	}
	for _, s := range found(t) {
		before, after := nice(s), 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			platform.LowerThread(3)
			after = nice(s)
		}()
		<-done
		if want := min(before+3, platform.LeastPriority); after != want {
			t.Errorf("%s: nice %d, want %d", s.Name, after, want)
		}
	}
}
