package hall

import (
	"testing"

	"quintet/game"
)

// TestWatching counts spectators: players do not count, nor do spectators who have left,
// even if they leave twice. It takes no longer for thousands: every page asks every few
// seconds.
func TestWatching(t *testing.T) {
	s, id := table(t)
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	come := func(seated bool) *Watcher {
		w := &Watcher{}
		if seated {
			w.Seats = []game.Side{game.First}
		}
		r.Watch(w, -1)
		return w
	}
	counts := func(want int) {
		t.Helper()
		if got := r.Spectators(); got != want {
			t.Errorf("%d watch, want %d", got, want)
		}
	}
	player, first := come(true), come(false)
	counts(1)
	var all []*Watcher
	for range 20_000 {
		all = append(all, come(false))
	}
	counts(20_001)
	for _, w := range append(all, player) {
		r.Leave(w)
		r.Leave(w)
	}
	counts(1)
	r.Leave(first)
	counts(0)
}

// TestSlowReaderIsDropped checks that a slow reader is disconnected and that the others
// get all events.
func TestSlowReaderIsDropped(t *testing.T) {
	s, id := table(t)
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	slow, quick := &Watcher{}, &Watcher{}
	r.Watch(slow, -1)
	r.Watch(quick, -1)
	told := 0
	for i := range watcherBuffer + 10 {
		func() {
			l := r.lock()
			defer l.unlock()
			for w := range l.watchers {
				l.send(w, &Message{ply: i})
			}
		}()
		if m := <-quick.messages; m.ply == i {
			told++
		}
	}
	r.Leave(quick)
	n := 0
	for range slow.messages { // it is closed
		n++
	}
	if told != watcherBuffer+10 || n != watcherBuffer || s.dropped.Load() != 1 {
		t.Errorf("the quick one was told %d, the slow one %d, %d dropped; want %d, %d, 1", told, n, s.dropped.Load(), watcherBuffer+10, watcherBuffer)
	}
}
