package players

import (
	"context"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// TestOpeningValues checks that openings are worth what the engine of their game says, as
// docs/arena.md promises, and that one search does not change the next.
func TestOpeningValues(t *testing.T) {
	for _, g := range games.All() {
		p := positionAfter(t, g)
		s, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := s.Search(context.Background(), engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: 2_000}, nil).Score
		value := openingValue(t, g)
		for range 2 {
			if got := value(p); got != want {
				t.Errorf("%s: the start is worth %d, want %d", g.Name, got, want)
			}
		}
	}
}

// TestOpeningOfOthello values an opening that is won by 18 discs. It looks even to the evaluation
// that is set by hand.
func TestOpeningOfOthello(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	p := positionAfter(t, g, "d6", "c6", "b6", "d7", "f4", "b7", "c5", "b4")
	if v := openingValue(t, g)(p); v < 1_000 {
		t.Errorf("the opening is worth %d, want about 1,800", v)
	}
}

func openingValue(t *testing.T, g game.Game) func(game.Position) int {
	t.Helper()
	value, err := Evaluator(g, 2_000)
	if err != nil {
		t.Fatal(err)
	}
	return func(p game.Position) int { return value(context.Background(), p) }
}

// positionAfter plays moves from the usual start.
func positionAfter(t *testing.T, g game.Game, moves ...string) game.Position {
	t.Helper()
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	return p
}
