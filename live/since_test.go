package live_test

import (
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestSince checks that a move meant for one position is rejected in another with the
// same ply, as after a take-back.
func TestSince(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Seats: [2]live.Player{1: {Name: "b", Engine: "random"}}})
	since := func(want int) {
		t.Helper()
		if got := d.PositionID(); got != want {
			t.Errorf("at event %d: since %d, want %d", d.EventCount(), got, want)
		}
	}
	since(1)
	d.move(t, 0, "f4")
	since(2)
	meant := live.Command{Do: live.Move, Side: game.Second, Move: "f3", Ply: -1, PositionID: d.PositionID()}
	d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: -1})
	since(3)
	d.move(t, 0, "e3")
	since(4)
	for _, do := range []live.Verb{live.Move, live.Resign} {
		meant.Do = do
		if err := d.do(meant); !live.IsCode(err, live.CodeStale) {
			t.Errorf("%s, meant for the position before the take-back: %v, want it refused as stale", do, err)
		}
	}
	meant.Do, meant.PositionID = live.Move, d.PositionID()
	d.must(t, meant)
	since(5)
	other := sit(t, live.Settings{Game: "othello"})
	other.must(t, live.Command{Do: live.Offer})
	if other.PositionID() != 1 || other.EventCount() != 2 {
		t.Errorf("after an offer: since %d of %d events, want 1 of 2", other.PositionID(), other.EventCount())
	}
}
