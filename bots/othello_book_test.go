package bots_test

import (
	"context"
	"testing"

	"quintet/bots"
	"quintet/bots/othello/book"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// countingSearch counts its searches and plays the last move.
type countingSearch struct{ searches int }

func (*countingSearch) Reset() {}

func (s *countingSearch) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	s.searches++
	moves := p.Moves(nil)
	return engine.Line{Moves: moves[len(moves)-1:], Nodes: 1}
}

func TestWithBook(t *testing.T) {
	b, err := book.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	limit := engine.Limit{Nodes: 10}
	for _, test := range []struct {
		name     string
		setup    game.Setup
		skip     int // moves
		limit    engine.Limit
		searches int
	}{
		{"course start", nil, 0, limit, 0},
		{"standard start", game.Setup{"start": "standard"}, 0, limit, 0},
		{"another board", game.Setup{"size": "6"}, 0, limit, 1},
		{"pits", game.Setup{"pits": "a1"}, 0, limit, 1},
		{"a large board", game.Setup{"size": "10"}, 0, limit, 1},
		{"without a limit", nil, 0, engine.Limit{}, 1},
		{"without the first move", nil, 1, limit, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := g.Start(test.setup)
			if err != nil {
				t.Fatal(err)
			}
			var s countingSearch
			reports := 0
			at := engine.Position{Position: p, Skip: p.Moves(nil)[:test.skip]}
			line := bots.WithBook(&s, b).Search(t.Context(), at, test.limit, func(engine.Line) { reports++ })
			if s.searches != test.searches {
				t.Fatalf("%d searches, want %d", s.searches, test.searches)
			}
			if want := b.Moves(p); s.searches == 0 && (reports != 1 || line.Nodes != 0 || line.Best() != want[0].Move || line.Score != want[0].Score) {
				t.Errorf("%+v after %d reports, want %+v", line, reports, want[0])
			}
		})
	}
}

// TestBookPlayer checks that the option reaches the player of Othello and no other game's.
func TestBookPlayer(t *testing.T) {
	b, err := book.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		game  string
		nodes bool
	}{{"othello", false}, {"loa", true}} {
		g, err := games.ByName(test.game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bots.Searcher(g, bots.Options{Megabytes: 1, Book: b})
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		line := s.Search(t.Context(), engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: 100}, nil)
		if line.Nodes > 0 != test.nodes {
			t.Errorf("%s: %d positions visited", test.game, line.Nodes)
		}
	}
}
