package picture_test

import (
	"testing"

	"quintet/games/chess"
	"quintet/picture"
)

// TestCaption says in chess who is ahead, by the usual values and without the kings.
func TestCaption(t *testing.T) {
	for position, want := range map[string]string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": "equal material",
		"k7/8/8/8/8/8/8/KQ6 w - - 0 1":                          "White is ahead by 9",
		"krbn4/8/8/8/8/8/P7/K7 w - - 0 1":                       "Black is ahead by 10",
		"8/8/8/8/8/8/8/KN6 w - - 0 1":                           "White is ahead by 3",
	} {
		p, err := chess.Game.Read(position)
		if err != nil {
			t.Fatal(err)
		}
		if got := picture.Of(p.Board(), picture.Options{Look: chess.Game.Look}).Title; got != want {
			t.Errorf("%s: %q, want %q", position, got, want)
		}
	}
}
