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

// minimax returns the score of a board by searching all moves.
func minimax(th *thread, b *board, depth int) int {
	var child board
	switch {
	case b.count == 0 && b.answers == 0:
		return th.final(b)
	case b.count == 0:
		th.geometry.pass(b, &child)
		return -minimax(th, &child, depth)
	case depth == 0:
		return th.eval.score(b)
	}
	best := -th.limit - 1
	for cell := range th.geometry.cellsOf(&b.moves) {
		th.geometry.play(b, cell/th.geometry.size, cell%th.geometry.size, &child)
		best = max(best, -minimax(th, &child, depth-1))
	}
	return best
}

// playout plays random moves until a number of cells are empty, or the game is over.
func playout(p *othello.Large, r *rand.PCG, empty int) {
	for g := geometryOf(p); !p.Result().Over(); p.Play(game.Sample(p, r, nil)) {
		if b := g.boardOf(p); b.empty <= empty {
			return
		}
	}
}

// TestAgainstMinimax compares searches without cuts, with a table that is kept from position to
// position, and the exact ends of games.
func TestAgainstMinimax(t *testing.T) {
	source := rand.NewPCG(1, 1)
	r := rand.New(source)
	s := New(trained(t), 1, 1)
	for i := range 24 {
		size := 10 + 2*(i%3)
		p := start(t, r, size, r.IntN(size*size/4))
		end := i%2 == 0
		if playout(p, source, map[bool]int{true: 6, false: 40}[end]); p.Result().Over() {
			continue
		}
		for ; !p.Result().Over(); p.Play(game.Sample(p, source, nil)) {
			g := geometryOf(p)
			b := g.boardOf(p)
			depth := 4
			if end {
				depth = b.empty
			} else if b.empty < 34 {
				break
			}
			got := s.Value(p, depth)
			if want := minimax(s.threads[0], &b, depth); got != want {
				t.Fatalf("%s: %d at depth %d, want %d", p, got, depth, want)
			}
		}
	}
}

// TestSearch compares the scores of whole searches of endings with minimax, and checks that
// their lines are legal.
func TestSearch(t *testing.T) {
	source := rand.NewPCG(2, 2)
	r := rand.New(source)
	for threads := 1; threads <= 2; threads++ {
		s := New(trained(t), 1, threads)
		for range 20 {
			p := start(t, r, 10, r.IntN(30))
			if playout(p, source, 7); p.Result().Over() {
				continue
			}
			line := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{}, nil)
			g := geometryOf(p)
			b := g.boardOf(p)
			if want := minimax(s.threads[0], &b, b.empty); line.Score != want || line.Depth != b.empty {
				t.Errorf("%s: %d at depth %d, want %d at %d", p, line.Score, line.Depth, want, b.empty)
			}
			at := p.Clone()
			for _, m := range line.Moves {
				if !slices.Contains(at.Moves(nil), m) {
					t.Fatalf("%s: illegal move in %v", p, line.Moves)
				}
				at.Play(m)
			}
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
