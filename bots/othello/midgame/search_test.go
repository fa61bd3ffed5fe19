package midgame

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/game"
	"quintet/games/othello"
)

func trained(t testing.TB) Weights {
	t.Helper()
	w, err := Trained()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// minimax is the search without anything clever.
func minimax(th *thread, w othello.Bitboards, depth int) int {
	if w.Moves == 0 {
		other := w.Pass()
		if other.Moves == 0 {
			return pattern.Unit * endgame.Final(w)
		}
		return -minimax(th, other, depth)
	}
	if depth == 0 {
		return th.score(&w)
	}
	best := -infinite
	for m := w.Moves; m != 0; m &= m - 1 {
		best = max(best, -minimax(th, w.Play(bits.TrailingZeros64(m)), depth-1))
	}
	return best
}

// TestAgainstMinimax compares searches without cuts, with a table that is kept
// from position to position, on boards with and without pits.
func TestAgainstMinimax(t *testing.T) {
	w := trained(t)
	s := New(w, 1, 1)
	r := rand.NewPCG(1, 1)
	for i := range 40 {
		setup := []game.Setup{nil, {"size": "6"}, nil, {"pits": "a1,c3,g6"}}[i%4]
		p, err := othello.Game.Start(setup)
		if err != nil {
			t.Fatal(err)
		}
		for !p.Result().Over() {
			words := p.(*othello.Small).Bitboards()
			s.choose(words.Ground)
			for depth := range 4 {
				if got, want := s.Value(words, depth), minimax(s.threads[0], words, depth); got != want {
					t.Fatalf("%s at depth %d: %d, want %d", p, depth, got, want)
				}
			}
			p.Play(game.Sample(p, r, nil))
		}
	}
}
