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
	defer inOrder()()
	for seed := range uint64(3) {
		const all = 1e6
		if a, b := simulate(t, seed).lines(all), simulate(t, seed).lines(all); !slices.Equal(a, b) {
			i := 0
			for i < min(len(a), len(b)) && a[i] == b[i] {
				i++
			}
			t.Errorf("seed %d: two runs differ after\n%s\n%q\n%q", seed, strings.Join(a[max(0, i-4):i], "\n"), a[i:min(i+2, len(a))], b[i:min(i+2, len(b))])
		}
	}
}
