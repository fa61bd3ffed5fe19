package serve

import (
	"testing"
	"time"
)

// TestWatching counts spectators: seats do not count, nor does who has left, though it
// leaves twice. That takes as long for thousands as for one: every page asks every few
// seconds.
func TestWatching(t *testing.T) {
	s, id := table(t)
	r, err := s.hub.room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	come := func(seated bool) *watcher {
		w := &watcher{seated: seated}
		r.watch(w, -1)
		return w
	}
	counts := func(want int) {
		t.Helper()
		if got := r.watching(); got != want {
			t.Errorf("%d watch, want %d", got, want)
		}
	}
	player, first := come(true), come(false)
	counts(1)
	one := leastTime(func() { r.watching() })
	var all []*watcher
	for range 20_000 {
		all = append(all, come(false))
	}
	counts(20_001)
	if many := leastTime(func() { r.watching() }); many > 100*one {
		t.Errorf("counting 20,000 takes %s a thousand times, and counting one takes %s: want no more", many, one)
	}
	for _, w := range append(all, player) {
		r.leave(w)
		r.leave(w)
	}
	counts(1)
	r.leave(first)
	counts(0)
}

// leastTime returns how long something takes a thousand times, at the best of a few
// tries.
func leastTime(f func()) time.Duration {
	least := time.Hour
	for range 5 {
		began := time.Now()
		for range 1000 {
			f()
		}
		least = min(least, time.Since(began))
	}
	return max(least, time.Microsecond)
}
