package midgame

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/engine"
	"quintet/games/othello"
)

// worth returns what a search to a depth finds for the side that plays the move
// of a line.
func worth(s *Search, p *othello.Small, line engine.Line, depth int) int {
	next := *p
	next.Play(line.Best())
	s.Reset()
	found := s.Search(context.Background(), engine.Position{Position: &next}, engine.Limit{Depth: depth}, nil)
	if next.Turn() == p.Turn() || next.Result().Over() {
		return found.Score
	}
	return -found.Score
}

// TestUnfinishedIteration stops searches within an iteration by a limit of nodes.
// If the iteration has found a better move by then, that is the move to play: in
// some positions another than that of the last finished iteration, and then one
// that a finished search to the next depth finds better, at least three times in five: both
// searches cut, and sometimes disagree.
func TestUnfinishedIteration(t *testing.T) {
	s := New(trained(t), 1, 1)
	r := rand.NewPCG(8, 8)
	others, better := 0, 0
	for i := range 1_200 {
		p := randomPosition(t, nil, 25+i%30, r)
		if p.Result().Over() {
			continue
		}
		at := engine.Position{Position: p}
		s.Reset()
		stopped := s.Search(context.Background(), at, engine.Limit{Nodes: 3000}, nil)
		s.Reset()
		finished := s.Search(context.Background(), at, engine.Limit{Depth: stopped.Depth}, nil)
		if stopped.Best() == finished.Best() {
			if stopped.Score != finished.Score || !slices.Equal(stopped.Moves, finished.Moves) {
				t.Fatalf("%s: the same move, but %+v and %+v", p, stopped, finished)
			}
			continue
		}
		others++
		if worth(s, p, stopped, stopped.Depth) >= worth(s, p, finished, stopped.Depth) {
			better++
		}
	}
	if others < 24 || better*5 < others*3 {
		t.Errorf("%d moves of unfinished iterations, %d of them better: want 24 or more, three in five", others, better)
	}
}
