package midgame

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// endings calls f with positions of random games that have few empty cells, on
// several boards.
func endings(t *testing.T, f func(empty int, p *othello.Small)) {
	t.Helper()
	r := rand.NewPCG(4, 4)
	for i := range 150 {
		setup := []game.Setup{nil, {"size": "6"}, {"pits": "a1,c3,g6"}}[i%3]
		p := randomPosition(t, setup, 1+i%16, r)
		if !p.Result().Over() {
			f(bits.OnesCount64(p.Bitboards().Empty()), p)
		}
	}
}

// TestEndingLimits searches endings with each kind of limit. Two kinds of work are
// not interrupted: the first depth, of fewer than 64 nodes, and the last six plies.
func TestEndingLimits(t *testing.T) {
	const firstDepth, lastPlies = 64, 1500
	s := New(trained(t), 1, 1)
	ongoing := context.Background()
	ended, cancel := context.WithCancel(ongoing)
	cancel()
	endings(t, func(empty int, p *othello.Small) {
		for _, test := range []struct {
			ctx   context.Context
			l     engine.Limit
			nodes uint64 // visited at most
			depth int    // reached at most
		}{
			{ongoing, engine.Limit{Nodes: 1}, firstDepth, 1},
			{ongoing, engine.Limit{Nodes: 12}, firstDepth, empty},
			{ongoing, engine.Limit{Nodes: 2000}, 2000 + lastPlies, empty},
			{ongoing, engine.Limit{Depth: 1}, firstDepth, 1},
			{ongoing, engine.Limit{Depth: 2}, 16 * firstDepth, 2},
			{ongoing, engine.Limit{Time: 1}, firstDepth, 1},
			{ended, engine.Limit{}, firstDepth, 1},
		} {
			s.Reset()
			line := s.Search(test.ctx, engine.Position{Position: p}, test.l, nil)
			if line.Nodes > test.nodes || line.Depth > test.depth || !game.Legal(p, line.Best()) {
				t.Fatalf("%s, %+v: %+v, want at most %d nodes and depth %d", p, test.l, line, test.nodes, test.depth)
			}
		}
	})
}

// TestEndingIsExact checks that an unlimited search returns the solver's value.
func TestEndingIsExact(t *testing.T) {
	s, solver := New(trained(t), 1, 1), endgame.NewSolver(1)
	endings(t, func(empty int, p *othello.Small) {
		want, err := solver.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		line := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{}, nil)
		if line.Score != pattern.Unit*want.Value || line.Depth != empty {
			t.Errorf("%s: %+v, want %d at depth %d", p, line, pattern.Unit*want.Value, empty)
		}
	})
}
