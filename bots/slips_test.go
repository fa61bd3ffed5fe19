package bots_test

import (
	"strings"
	"testing"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
)

// TestDescribe checks what is said of moves that lost something, in the words of their game.
func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		game, position, played, best string
		loss                         int
		want                         string
	}{
		{"othello", "8/8/8/3OX3/3XO3/8/8/8 X", "d3 c3", "c4 c3", 300, "loses 3 discs"},
		{"othello", "8/8/8/3OX3/3XO3/8/8/8 X", "d3 c3", "c4 c3", 20, "loses 1 disc"},
		{"othello", "8/1X6/2X5/3OX3/3XO3/8/8/8 X", "d3 pass", "c4", 0, "loses 1 disc"},
		{"chess", "4k3/8/8/3q4/4P3/8/8/4K3 w", "e1f1 d5e4", "e4d5", 900, "loses the pawn on e4"},
		{"chess", "4k3/8/8/3q4/4P3/8/8/4K3 w", "e1f1 d5a5", "e4d5", 900, "does not take the queen on d5"},
		{"chess", "4k3/8/2p5/3q4/4P3/8/8/3QK3 w", "d1d5 c6d5 e4d5", "e4d5 c6d5", 300, ""},
		{"chess", "4k3/8/2p5/3p4/8/8/8/3QK3 w", "d1d5 c6d5", "d1d2", 800, "loses the queen on d5"},
		{"othello", "8/8/8/3OX3/3XO3/8/2O5/1X6 X", "c4 a1", "d3", 0, "loses 1 disc"},
		{"othello", "8/1O6/2X5/3OX3/3XO3/8/8/8 X", "c4", "a1 c4", 0, "leaves the corner a1"},
		{"loa", "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B", "a3c3", "a1c1", 0, "leaves 4 groups where there could be 3"},
		{"loa", "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B", "a1c1 b0b2", "a6c6 c0c2", 0, ""},
		{"loa", "8/8/8/B6B/8/2W2W2/8/8 B", "a3c3 c5e5", "a3c3 c5c7", 0, "lets the opponent connect into 1 group"},
	} {
		g, err := games.ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Read(c.position)
		if err != nil {
			t.Fatal(err)
		}
		s := bots.Slip{Before: p, Loss: c.loss}
		s.Played, _ = game.PlayTexts(p.Clone(), strings.Fields(c.played))
		s.Best, _ = game.PlayTexts(p.Clone(), strings.Fields(c.best))
		if got := bots.ProfileFor(g).Describe(s); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.game, c.played, got, c.want)
		}
	}
}
