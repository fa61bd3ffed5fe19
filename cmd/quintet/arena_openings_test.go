package main

import (
	"context"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/games"
)

// TestOpeningValues checks that the engine of each game values openings, as docs/arena.md says.
// The opening of Othello looks even to an evaluation set by hand, and is won by 18 discs.
func TestOpeningValues(t *testing.T) {
	for _, g := range games.All() {
		value, err := valueBy(g, 2_000)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := s.Search(context.Background(), engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: 2_000}, nil).Score
		for range 2 { // the first search must not change the second
			if got := value(context.Background(), p); got != want {
				t.Errorf("%s: the start is worth %d, want %d", g.Name, got, want)
			}
		}
	}
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"d6", "c6", "b6", "d7", "f4", "b7", "c5", "b4"} {
		m, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	value, err := valueBy(g, 2_000)
	if err != nil {
		t.Fatal(err)
	}
	if v := value(context.Background(), p); v < 1_000 {
		t.Errorf("the value is %d, want about 1,800", v)
	}
}
