package large

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/bots/othello/linear"
	"quintet/engine"
	"quintet/games/othello"
)

// spreadDepth is the depth of the deepest searches that BenchmarkSpread compares.
const spreadDepth = 6

// BenchmarkSpread measures the standard errors of ProbCut: how much, in discs, scores of deep
// and shallow searches differ (the root of the mean square) in positions of games from random
// openings, divided by the square root of the number of cells, by the share of empty cells. Its
// time means nothing.
func BenchmarkSpread(b *testing.B) {
	w, err := linear.Trained()
	if err != nil {
		b.Fatal(err)
	}
	s := New(w, 1, 1)
	for b.Loop() {
		var table strings.Builder
		var sums [2][10][spreadDepth + 1]struct{ square, n float64 }
		r := rand.New(rand.NewPCG(7, 7))
		for i := range 16 {
			size := 10 + 2*(i%3)
			spreadGame(b, s, start(b, r, size, r.IntN(20)), r, func(empty float64, scores *[spreadDepth + 1]int) {
				for depth := fromCut; depth <= spreadDepth; depth++ {
					d := float64(scores[depth]-scores[shallower(depth)]) / float64(size)
					cell := &sums[i%3/2][min(int(10*empty), 9)][depth]
					cell.square, cell.n = cell.square+d*d, cell.n+1
				}
			})
		}
		for k, sizes := range []string{"10 and 12", "14"} {
			for part, list := range sums[k] {
				for depth := fromCut; depth <= spreadDepth; depth++ {
					if c := list[depth]; c.n > 0 {
						fmt.Fprintf(&table, "\nsizes %s, %d0 %% empty, depth %d from %d: %3.0f (%v positions)", sizes, part, depth, shallower(depth), math.Sqrt(c.square/c.n), c.n)
					}
				}
			}
		}
		b.Log(table.String())
	}
}

// spreadGame plays a game and calls f with the scores of some of its positions at all depths.
func spreadGame(b *testing.B, s *Search, p *othello.Large, r *rand.Rand, f func(empty float64, scores *[spreadDepth + 1]int)) {
	b.Helper()
	for ply := 0; !p.Result().Over(); ply++ {
		moves := p.Moves(nil)
		if ply < 6 || r.IntN(12) == 0 {
			p.Play(moves[r.IntN(len(moves))])
			continue
		}
		g := geometryOf(p)
		at := g.boardOf(p)
		if ply%11 == 0 && at.empty > spreadDepth && at.count > 0 {
			var scores [spreadDepth + 1]int
			for depth := range scores {
				scores[depth] = s.Value(p, depth)
			}
			f(float64(at.empty)/float64(g.cells), &scores)
		}
		p.Play(s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 300}, nil).Best())
	}
}
