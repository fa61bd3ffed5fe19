package load

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Spread is the distribution of durations, as percentiles.
type Spread struct {
	N                  int
	P50, P90, P99, Max time.Duration
}

// String returns the percentiles in milliseconds.
func (s Spread) String() string {
	if s.N == 0 {
		return "none"
	}
	return fmt.Sprintf("p50 %.1f, p90 %.1f, p99 %.1f, max %.1f ms", milliseconds(s.P50), milliseconds(s.P90), milliseconds(s.P99), milliseconds(s.Max))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// SpreadOf returns the distribution of durations. It leaves the list as it is.
func SpreadOf(list []time.Duration) Spread {
	if len(list) == 0 {
		return Spread{}
	}
	list = slices.Sorted(slices.Values(list))
	at := func(q float64) time.Duration { return list[min(int(q*float64(len(list))), len(list)-1)] }
	return Spread{len(list), at(.5), at(.9), at(.99), list[len(list)-1]}
}

// Recorder collects durations from several goroutines. The zero Recorder is empty.
type Recorder struct {
	mu   sync.Mutex // guards list
	list []time.Duration
}

// Add records a duration.
func (r *Recorder) Add(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, d)
}

// Spread returns the distribution of what was recorded.
func (r *Recorder) Spread() Spread {
	r.mu.Lock()
	list := slices.Clone(r.list)
	r.mu.Unlock()
	return SpreadOf(list)
}
