package gametest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

// wide is a position with many moves, as on the largest boards, in which the last
// move has its own sampling weight.
type wide struct {
	game.Position
	moves       int
	last, other int // weights
	foreign     int // one sample in this many is not a move; 0 for none
}

func (w *wide) String() string { return fmt.Sprint(w.moves, " moves") }

func (w *wide) Moves(buf []game.Move) []game.Move {
	for i := range w.moves {
		buf = append(buf, game.Put(game.Cell(i)))
	}
	return buf
}

func (w *wide) Sample(r *rand.PCG) game.Move {
	if w.foreign > 0 && game.IntN(r, w.foreign) == 0 {
		return game.Pass
	}
	n := game.IntN(r, (w.moves-1)*w.other+w.last)
	return game.Put(game.Cell(min(n/w.other, w.moves-1)))
}

// TestUnevenSamples checks which deviations checkEven detects and tolerates, on
// boards of all sizes.
func TestUnevenSamples(t *testing.T) {
	for _, moves := range []int{2, 25, 361, 676} {
		for _, test := range []struct {
			last, other, foreign int
			finding              string
		}{
			{1, 1, 0, ""},
			{0, 1, 0, "Sample is uneven"}, // left out
			{1, 4, 0, "Sample is uneven"},
			{2, 1, 0, "Sample is uneven"},
			{1, 1, 100, "Sample gives pass, which is not legal"},
		} {
			p := &wide{moves: moves, last: test.last, other: test.other, foreign: test.foreign}
			found := failures(func(t rapid.TB) { checkEven(t, p, newRand(1)) })
			if test.finding != "" {
				wantFinding(t, found, test.finding)
			} else if len(found) > 0 {
				t.Errorf("%s: the suite finds %q, want nothing", p, found)
			}
		}
	}
}
