package bots_test

import (
	"testing"

	"quintet/bots"
	"quintet/game"
	"quintet/games/othello"
)

// TestStartsAreMirrored checks that the two starts of Othello are the same game: the solver
// gives both the same value, on each of its boards.
func TestStartsAreMirrored(t *testing.T) {
	for _, pits := range [][2]string{{"", ""}, {"a1", "d1"}, {"b4,c4", "c4,b4"}} {
		var values [2]int
		for i, start := range []string{"course", "standard"} {
			p, err := othello.Game.Start(game.Setup{"size": "4", "pits": pits[i], "start": start})
			if err != nil {
				t.Fatal(err)
			}
			s, err := bots.Solve(t.Context(), othello.Game, p, bots.SolveLimit{Nodes: 1 << 30})
			if err != nil || !s.Proved {
				t.Fatalf("%s: %+v, %v", p, s, err)
			}
			values[i] = s.Value
		}
		if values[0] != values[1] {
			t.Errorf("pits %q: the course's start is worth %d, the standard one with pits %q %d", pits[0], values[0], pits[1], values[1])
		}
	}
}
