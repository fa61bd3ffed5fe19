package hall

import (
	"runtime"
	"testing"
	"weak"

	"quintet/game"
	"quintet/live"
)

// TestNothingWaitsForSpectators checks that a delayed view is freed when its spectator
// leaves, even if many events are still due.
func TestNothingWaitsForSpectators(t *testing.T) {
	s := unstarted(t, live.NewMemory(), false)
	defer s.Close()
	const id = "abcdefgh2342"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "connect6", Seats: players, Delay: live.MaxDelay}, ""); err != nil {
		t.Fatal(err)
	}
	talk := func(times int) {
		for range times {
			for _, c := range []live.Command{{Do: live.Offer}, {Do: live.Decline, Side: game.Second}} {
				if _, err := s.Do(t.Context(), id, c); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	talk(50)
	r := s.Loaded(id)
	var gone []weak.Pointer[Watcher]
	for range 100 {
		w := &Watcher{Board: true}
		r.Watch(w, 0)
		talk(1)
		r.Leave(w)
		gone = append(gone, weak.Make(w))
	}
	runtime.GC()
	kept := 0
	for _, w := range gone {
		if w.Value() != nil {
			kept++
		}
	}
	if kept > 1 { // the last may be on the stack
		t.Errorf("%d of %d spectators are kept in memory after they have left", kept, len(gone))
	}
	if r.delayed.timer != nil {
		t.Error("a timer runs without subscribers")
	}
}
