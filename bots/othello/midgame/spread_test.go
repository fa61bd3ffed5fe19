package midgame

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games/othello"
)

// spreadDepth is how deep BenchmarkSpread searches at most.
const spreadDepth = 9

// BenchmarkSpread measures what spreadOf states: by how much, in hundredths of a
// disc, scores of deep and shallow searches differ (the root of the mean square)
// in positions of games from random openings. Its time means nothing.
func BenchmarkSpread(b *testing.B) {
	s := New(trained(b), 1, 1)
	for b.Loop() {
		var sums [10][spreadDepth + 1]struct{ square, n float64 }
		r := rand.New(rand.NewPCG(7, 7))
		for range 60 {
			spreadGame(b, s, r, func(empty int, scores *[spreadDepth + 1]int) {
				for depth := fromCut; depth <= spreadDepth; depth++ {
					d := float64(scores[depth] - scores[shallower(depth)])
					cell := &sums[empty/6][depth]
					cell.square += d * d
					cell.n++
				}
			})
		}
		for group := range sums {
			for depth := fromCut; depth <= spreadDepth; depth++ {
				if cell := sums[group][depth]; cell.n > 20 {
					b.ReportMetric(math.Sqrt(cell.square/cell.n), fmt.Sprintf("points-at-%02d-empty-depth-%d", group*6, depth))
				}
			}
		}
	}
}

// spreadGame plays a game and calls f with the scores of some of its positions
// at all depths.
func spreadGame(b *testing.B, s *Search, r *rand.Rand, f func(empty int, scores *[spreadDepth + 1]int)) {
	p, err := othello.Game.Start(nil)
	if err != nil {
		b.Fatal(err)
	}
	small := p.(*othello.Small)
	random := 6 + r.IntN(10)
	for ply := 0; !p.Result().Over(); ply++ {
		w := small.Bitboards()
		if w.Moves == 0 {
			p.Play(game.Pass)
			continue
		}
		if empty := bits.OnesCount64(w.Empty()); ply >= random && r.IntN(5) == 0 && empty > spreadDepth {
			var scores [spreadDepth + 1]int
			for depth := range scores {
				s.Reset()
				scores[depth] = s.Value(w, depth)
			}
			f(empty, &scores)
		}
		square := game.NthBit(w.Moves, r.IntN(bits.OnesCount64(w.Moves)))
		if ply >= random && r.IntN(12) > 0 {
			square = bestSquare(s, w, 4)
		}
		p.Play(small.Move(square))
	}
}

// bestSquare returns the best move of a search to a depth.
func bestSquare(s *Search, w othello.Bitboards, depth int) (square int) {
	best := -beyond
	for m := w.Moves; m != 0; m &= m - 1 {
		at := bits.TrailingZeros64(m)
		if v := -s.Value(w.Play(at), depth-1); v > best {
			best, square = v, at
		}
	}
	return square
}
