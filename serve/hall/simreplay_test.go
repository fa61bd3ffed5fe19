//go:build !race

package hall

import (
	"slices"
	"strings"
	"testing"
)

// TestSimulationReplays checks that a seed always comes to the same end. With the race detector it need not: that
// starts goroutines in random order.
func TestSimulationReplays(t *testing.T) {
	for seed := range uint64(3) {
		if a, b := simulate(t, seed), simulate(t, seed); !slices.Equal(a.trace, b.trace) {
			i := 0
			for i < min(len(a.trace), len(b.trace)) && a.trace[i] == b.trace[i] {
				i++
			}
			t.Errorf("seed %d: two runs differ after\n%s\n%q\n%q", seed, strings.Join(a.trace[max(0, i-4):i], "\n"), a.trace[i:min(i+2, len(a.trace))], b.trace[i:min(i+2, len(b.trace))])
		}
	}
}
