package load

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Spread is how long something took.
type Spread struct {
	N                  int
	P50, P90, P99, Max time.Duration
}

// String returns the spread in milliseconds.
func (s Spread) String() string {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("p50 %.1f, p90 %.1f, p99 %.1f, max %.1f ms", ms(s.P50), ms(s.P90), ms(s.P99), ms(s.Max))
}

// spreads gathers times.
type spreads struct {
	also also // gets them, too, while it is there

	mu  sync.Mutex // guards all
	all []time.Duration
}

func (s *spreads) add(d time.Duration) {
	if other := s.also.Load(); other != nil {
		other.add(d)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, d)
}

func (s *spreads) spread() Spread {
	s.mu.Lock()
	list := slices.Clone(s.all)
	s.mu.Unlock()
	return Spreads(list)
}

// Spreads returns the spread of times.
func Spreads(list []time.Duration) Spread {
	if len(list) == 0 {
		return Spread{}
	}
	slices.Sort(list)
	at := func(q float64) time.Duration { return list[min(int(q*float64(len(list))), len(list)-1)] }
	return Spread{len(list), at(.5), at(.9), at(.99), list[len(list)-1]}
}
