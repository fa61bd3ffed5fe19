// Package gcpace keeps garbage collections rare in a server whose heap is small.
//
// With the collector's percentage alone, a server with ten megabytes of live heap
// collects every few megabytes: a dozen times a second while large pictures are
// rendered, and every request of that time is slower. [Run] raises the percentage while the heap is
// small, so that a collection waits until the heap has a minimum size. A large heap
// is collected as often as the percentage says.
package gcpace

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// interval is how often the live heap is measured. A heap that grows faster than this
// overshoots its goal until the next measurement.
const interval = 500 * time.Millisecond

// Run sets the collector's percentage for a heap of at least floor bytes before a
// collection, and of at least percent above the live heap, until the context ends.
func Run(ctx context.Context, floor uint64, percent int) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for set := 0; ; {
		if want := percentFor(liveHeap(), floor, percent); want != set {
			set = want
			debug.SetGCPercent(set)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// leastHeap is the smallest live heap that counts: the runtime begins a collection no earlier than
// at a heap of so many bytes times the percentage.
const leastHeap = 4 << 20

// percentFor returns the percentage at which a heap with the given number of live bytes is
// collected when it has floor bytes, at least percent. It is a multiple of ten, because
// setting another one stops all threads for a moment.
func percentFor(live, floor uint64, percent int) int {
	live = max(live, leastHeap)
	if floor <= live {
		return percent
	}
	above := math.Floor(10*float64(floor-live)/float64(live)) * 10
	return max(int(above), percent)
}

// liveHeap returns how many bytes the last collection found to be in use.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
