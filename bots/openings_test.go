package bots_test

import (
	"strings"
	"testing"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/games"
)

// TestOpenings reads the openings of every game. They differ, and a short search proves
// nothing about them.
func TestOpenings(t *testing.T) {
	for _, g := range games.All() {
		text := bots.ProfileFor(g).Openings
		if text == "" {
			continue
		}
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := arena.ReadOpenings(strings.NewReader(text), g, start)
		if err != nil || len(list) < 100 {
			t.Fatalf("%s: %d openings, %v, want 100 or more", g.Name, len(list), err)
		}
		search, seen := searcherOf(t, g), map[uint64]bool{}
		for _, o := range list {
			p := o.Start.Clone()
			for _, m := range o.Moves {
				p.Play(m)
			}
			if seen[p.Key()] {
				t.Errorf("%s: %s occurs twice", g.Name, p)
			}
			seen[p.Key()] = true
			line := search.Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 200}, nil)
			if max(line.Score, -line.Score) > engine.MaxEval {
				t.Errorf("%s: %s is decided: score %d", g.Name, p, line.Score)
			}
		}
	}
}
