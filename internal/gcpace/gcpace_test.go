package gcpace

import (
	"context"
	"runtime/debug"
	"sync"
	"testing"
)

// TestPercentFor lists percentages for live heaps, with a floor of 160 MB and at least 50 %.
func TestPercentFor(t *testing.T) {
	const mb = 1 << 20
	for live, want := range map[uint64]int{
		0:        3900, // as 4 MB: the runtime begins at 4 MB times that
		1 * mb:   3900,
		4 * mb:   3900,
		10 * mb:  1500,
		80 * mb:  100,
		105 * mb: 50,
		110 * mb: 50,
		160 * mb: 50,
		500 * mb: 50,
	} {
		if got := percentFor(live, 160*mb, 50); got != want {
			t.Errorf("%d MB live: %d %%, want %d", live/mb, got, want)
		}
	}
}

// TestRun sets the percentage at once.
func TestRun(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var all sync.WaitGroup
	all.Go(func() { Run(ctx, 160<<20, 50) })
	all.Wait()
	if got := debug.SetGCPercent(100); got < 100 {
		t.Errorf("%d %% in a process with a small heap, want more than 100", got)
	}
}
