package bots_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// searcherOf returns the search of a game, with a small table.
func searcherOf(t testing.TB, g game.Game) engine.Searcher {
	t.Helper()
	s, err := bots.Searcher(g, bots.Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// setups are boards for both kinds of search: those written for one game, and AlphaBeta.
var setups = []struct {
	game, setup string
	depth       int // of a search that takes a few thousand nodes
}{
	{"neighbors", "", 4}, {"loa", "", 4}, {"chess", "", 5}, {"othello", "", 8}, {"othello", "size=10", 5}, {"connect6", "size=9", 3},
}

// randomAt plays random moves from the start.
func randomAt(t testing.TB, name, setup string, plies int, r *rand.PCG) (game.Game, engine.Position) {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := game.ParseSetup(setup)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	for range plies {
		if m := game.Sample(p, r, nil); m != 0 {
			p.Play(m)
		}
	}
	return g, engine.Position{Position: p, Repeat: g.Repeat}
}

// same reports whether two lines are those of the same search.
func same(a, b engine.Line) bool {
	return a.Score == b.Score && a.Depth == b.Depth && a.Nodes == b.Nodes && slices.Equal(a.Moves, b.Moves)
}

// TestReset checks that a search after Reset equals that of a new searcher, nodes
// included, whatever was searched before.
func TestReset(t *testing.T) {
	for _, test := range setups {
		r := rand.NewPCG(5, 5)
		var used engine.Searcher
		for i := range 8 {
			g, at := randomAt(t, test.game, test.setup, 9+7*i, r)
			if used == nil {
				used = searcherOf(t, g)
			}
			limit := engine.Limit{Nodes: 4000}
			used.Search(context.Background(), at, limit, nil)
			engine.Lines(context.Background(), used, at, engine.Limit{Nodes: 300}, 3)
			used.Reset()
			got, want := used.Search(context.Background(), at, limit, nil), searcherOf(t, g).Search(context.Background(), at, limit, nil)
			if !same(got, want) {
				t.Errorf("%s %s: %+v after Reset, %+v from a new search", g.Name, at, got, want)
			}
		}
	}
}

// TestSearchMoves searches a blunder's worst reply alone, and then the position
// before the blunder: its opponent must not be counted on to play that reply.
func TestSearchMoves(t *testing.T) {
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Read("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	before := engine.Position{Position: start, Repeat: g.Repeat}
	after := engine.Position{Position: start.Clone(), Repeat: g.Repeat}
	blunder, err := start.Parse("f1a6")
	if err != nil {
		t.Fatal(err)
	}
	after.Play(blunder)
	after.Skip = slices.DeleteFunc(after.Moves(nil), func(m game.Move) bool { return after.Format(m) == "e8e7" })
	s := searcherOf(t, g)
	if line := s.Search(context.Background(), after, engine.Limit{Depth: 8}, nil); after.Format(line.Best()) != "e8e7" {
		t.Errorf("%s is played, though it is to be skipped", after.Format(line.Best()))
	}
	if line := s.Search(context.Background(), before, engine.Limit{Depth: 6}, nil); line.Best() == blunder {
		t.Errorf("%+v loses a bishop", line)
	}
}
