package live_test

import (
	"strings"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestRepetition checks that knights which go out and back twice draw, and not before: the
// start has then occurred three times.
func TestRepetition(t *testing.T) {
	d := sit(t, live.Settings{Game: "chess"})
	for _, text := range strings.Fields("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8") {
		if d.Over() {
			t.Fatalf("the game is over at ply %d: %+v", d.Ply(), d.Ending())
		}
		d.move(t, 1000, text)
	}
	want := live.Ending{Result: game.Draw, Reason: live.Reason(game.Repetition)}
	if d.Ending() != want || replayed(t, d).Ending() != want {
		t.Errorf("the game ends as %+v, read back as %+v, want %+v", d.Ending(), replayed(t, d).Ending(), want)
	}
}
