package serve

import (
	"testing"
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
	var all []*watcher
	for range 20_000 {
		all = append(all, come(false))
	}
	counts(20_001)
	for _, w := range append(all, player) {
		r.leave(w)
		r.leave(w)
	}
	counts(1)
	r.leave(first)
	counts(0)
}
