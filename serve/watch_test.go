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

// TestSlowReaderIsDropped wants who does not read to be sent away, and the others
// to be told all.
func TestSlowReaderIsDropped(t *testing.T) {
	s, id := table(t)
	r, err := s.hub.room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	slow, quick := &watcher{}, &watcher{}
	r.watch(slow, -1)
	r.watch(quick, -1)
	told := 0
	for i := range waiting + 10 {
		r.mu.Lock()
		for w := range r.watchers {
			r.send(w, &line{ply: i})
		}
		r.mu.Unlock()
		if l := <-quick.lines; l.ply == i {
			told++
		}
	}
	r.leave(quick)
	n := 0
	for range slow.lines { // it is closed
		n++
	}
	if told != waiting+10 || n != waiting || s.count.dropped.Load() != 1 {
		t.Errorf("the quick one was told %d, the slow one %d, %d dropped; want %d, %d, 1", told, n, s.count.dropped.Load(), waiting+10, waiting)
	}
}
