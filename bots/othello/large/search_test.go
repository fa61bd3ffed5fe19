package large

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/bots/othello/linear"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

func trained(t testing.TB) *linear.Weights {
	t.Helper()
	w, err := linear.Trained()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// minimax returns the score of a position by searching all moves to the end.
func minimax(p game.Position) int {
	if p.Result().Over() {
		return final(p)
	}
	best := -engine.MaxEval - 1
	for _, m := range p.Moves(nil) {
		child := p.Clone()
		child.Play(m)
		best = max(best, -minimax(child))
	}
	return best
}

// at returns a position as the general search gets it.
func at(weights *linear.Weights, p *othello.Large) *position {
	g := geometryOf(p)
	return &position{Position: p, geometry: &g, eval: *newEvaluator(weights, &g), board: g.boardOf(p), turn: p.Turn()}
}

// playout plays random moves until a number of cells are empty, or the game is over.
func playout(p *othello.Large, r *rand.PCG, empty int) {
	for g := geometryOf(p); !p.Result().Over(); p.Play(game.Sample(p, r, nil)) {
		if b := g.boardOf(p); b.empty <= empty {
			return
		}
	}
}

// TestPosition plays random games on both kinds of positions: moves, turns, results, copies and the
// keys of equal boards agree.
func TestPosition(t *testing.T) {
	weights := trained(t)
	boards(t, 18, func(p *othello.Large, _ *geometry, r *rand.Rand) {
		q := at(weights, p)
		moves := p.Moves(nil)
		if !slices.Equal(q.Moves(nil), moves) || q.Turn() != p.Turn() || q.Result() != game.Ongoing {
			t.Fatalf("%s: %v with %s to move", p, q.Moves(nil), q.Turn())
		}
		m := moves[r.IntN(len(moves))]
		after, want := q.Clone().(*position), p.Clone().(*othello.Large)
		after.Play(m)
		want.Play(m)
		if w := at(weights, want); after.Turn() != w.Turn() || after.Result() != want.Result() || after.Key() != w.Key() || after.Key() == q.Key() {
			t.Fatalf("%s after %s: %s to move, %s, key %x", p, p.Format(m), after.Turn(), after.Result(), after.Key())
		}
		if after.CopyFrom(q); after.Key() != q.Key() || after.Turn() != q.Turn() {
			t.Fatalf("%s: the copy is another position", p)
		}
	})
}

// TestEvaluatePass checks that a position without moves has the value that it has for the side
// that will move.
func TestEvaluatePass(t *testing.T) {
	weights, passes := trained(t), 0
	boards(t, 36, func(p *othello.Large, _ *geometry, _ *rand.Rand) {
		if p.Moves(nil)[0] != game.Pass {
			return
		}
		passes++
		q := at(weights, p)
		after := q.Clone()
		after.Play(game.Pass)
		if got, want := evaluate(q), -evaluate(after); got != want {
			t.Errorf("%s: %d, want %d", p, got, want)
		}
	})
	if passes == 0 {
		t.Error("no passes")
	}
}

// TestSearch compares the scores of whole searches of endings with minimax, and checks that
// their lines are legal.
func TestSearch(t *testing.T) {
	source := rand.NewPCG(2, 2)
	r := rand.New(source)
	weights := trained(t)
	for threads := 1; threads <= 2; threads++ {
		s := New(weights, 1, threads)
		for range 20 {
			p := start(t, r, 10, r.IntN(30))
			if playout(p, source, 7); p.Result().Over() {
				continue
			}
			line := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{}, nil)
			q := at(weights, p)
			if want := minimax(q); line.Score != want || line.Depth != q.board.empty {
				t.Errorf("%s: %d at depth %d, want %d at %d", p, line.Score, line.Depth, want, q.board.empty)
			}
			end := p.Clone()
			for _, m := range line.Moves {
				if !slices.Contains(end.Moves(nil), m) {
					t.Fatalf("%s: illegal move in %v", p, line.Moves)
				}
				end.Play(m)
			}
		}
	}
}

// TestFinished gives the margin of a game that is over, with the empty cells for the winner.
func TestFinished(t *testing.T) {
	source := rand.NewPCG(2, 2)
	r := rand.New(source)
	weights := trained(t)
	s := New(weights, 1, 1)
	for range 10 {
		p := start(t, r, 10, r.IntN(30))
		playout(p, source, -1)
		if line := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{}, nil); line.Score != final(at(weights, p)) || len(line.Moves) > 0 {
			t.Errorf("%s: %d, %v", p, line.Score, line.Moves)
		}
	}
}

// TestLimits checks the limits of nodes and depth, the moves to skip, and a context that has ended.
func TestLimits(t *testing.T) {
	s := New(trained(t), 1, 1)
	p := start(t, rand.New(rand.NewPCG(5, 5)), 12, 9)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx   context.Context
		limit engine.Limit
		skip  []game.Move
		nodes uint64
		depth int
	}{
		"nodes": {t.Context(), engine.Limit{Nodes: 5_000}, nil, 5_100, -1},
		"depth": {t.Context(), engine.Limit{Depth: 3}, nil, 10_000, 3},
		"skip":  {t.Context(), engine.Limit{Depth: 3}, p.Moves(nil)[1:], 10_000, 3},
		"ended": {ended, engine.Limit{}, nil, 1_000, -1},
	} {
		s.Reset()
		line := s.Search(test.ctx, engine.Position{Position: p, Skip: test.skip}, test.limit, nil)
		if line.Nodes > test.nodes || test.depth >= 0 && line.Depth != test.depth {
			t.Errorf("%s: %d nodes, depth %d", name, line.Nodes, line.Depth)
		}
		if !slices.Contains(p.Moves(nil), line.Best()) || slices.Contains(test.skip, line.Best()) {
			t.Errorf("%s: played %s", name, p.Format(line.Best()))
		}
	}
}

// TestAllocations checks that a search that has its scratch memory allocates little.
func TestAllocations(t *testing.T) {
	s := New(trained(t), 1, 1)
	p := start(t, rand.New(rand.NewPCG(5, 5)), 10, 9)
	search := func() { s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 3_000}, nil) }
	search()
	if n := testing.AllocsPerRun(5, search); n > 100 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkSearch reports how fast the search is.
func BenchmarkSearch(b *testing.B) {
	for _, size := range []int{10, 12, 14, 20, 26} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			p := start(b, rand.New(rand.NewPCG(1, 1)), size, 8)
			s := New(trained(b), 16, 1)
			var nodes uint64
			for b.Loop() {
				s.Reset()
				nodes += s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 100_000}, nil).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
