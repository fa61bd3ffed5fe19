package picture_test

import (
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/chess"
	"quintet/games/connect6"
	"quintet/games/othello"
	"quintet/picture"
)

// TestScore draws the score below the board, the dark side's first, and no words: in chess the lead by the usual
// values, without the kings.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		game           game.Game
		position, want string
	}{
		{chess.Game, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", ""},
		{chess.Game, "k7/8/8/8/8/8/8/KQ6 w - - 0 1", "+9"},
		{chess.Game, "krbn4/8/8/8/8/8/P7/K7 w - - 0 1", "+10"},
		{chess.Game, "8/8/8/8/8/8/8/KN6 w - - 0 1", "+3"},
		{othello.Game, "8/8/8/3XO3/3OXX2/8/8/#7 X", "3 2"},
		{connect6.Game, "4/1B2/4/4 W 2", ""},
	} {
		p, err := c.game.Read(c.position)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		d := picture.Of(p.Board(), picture.Options{Look: c.game.Look})
		for _, s := range d.Shapes {
			if s.Text != "" && s.Y > d.Height-50 {
				got = append(got, s.Text)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.position, got, c.want)
		}
	}
}
