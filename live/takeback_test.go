package live_test

import (
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestTakebackEndsOffers wants offers of the position that was taken back gone.
func TestTakebackEndsOffers(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello"})
	d.move(t, 0, "f4")
	d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: -1})
	if len(d.Asked(game.First)) == 0 {
		t.Fatal("the takeback is not asked for")
	}
	d.must(t, live.Command{Do: live.Accept, Side: game.Second})
	for _, side := range []game.Side{game.First, game.Second} {
		if list := d.Asked(side); d.Ply() != 0 || len(list) > 0 {
			t.Errorf("at ply %d the %s side still asks for %v", d.Ply(), side, list)
		}
	}
}
