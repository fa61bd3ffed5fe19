package train

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/game"
	"quintet/games/othello"
)

// Limits of the sample that the errors of ProbCut are fitted to.
const (
	probCutDeep   = 8  // plies of the deepest search of every position
	probCutSolved = 20 // positions with at most this many empty cells are solved
	probCutFirst  = 51 // empty cells of a position at most
	probCutLast   = 4  // and at least
	probCutEvery  = 6  // one position in six is sampled
	probCutPlay   = 4  // plies that the players look ahead
	probCutCell   = 4  // differences that an error needs at least
)

// ProbCut fits by how much the scores of shallow searches differ from those of deep ones, and from
// the end of the game. Both search positions of self-play games with the given weights, and cut
// nothing. progress receives status lines.
func ProbCut(ctx context.Context, w *pattern.Weights, games int, seed uint64, progress func(string)) (midgame.Errors, error) {
	sample := errorSample{search: midgame.New(midgame.Weights{Patterns: w}, 1, 1), midgame: map[searchPair]squares{}, ending: map[searchPair]squares{}}
	for i := range games {
		if err := sample.playGame(ctx, rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
			return midgame.Errors{}, fmt.Errorf("sampling: %w", err)
		}
	}
	var e midgame.Errors
	var off [2]float64
	e.Midgame, off[0] = fitErrors(sample.midgame)
	e.Ending, off[1] = fitErrors(sample.ending)
	progress(fmt.Sprintf("%d positions, errors within %.0f %% of the fit in the midgame, %.0f %% in endings",
		sample.positions, 100*off[0], 100*off[1]))
	return e, nil
}

// searchPair is a shallow search, the deep one whose score it predicts, and the number of empty
// cells. An ending is as deep as there are empty cells.
type searchPair struct{ empty, deep, shallow int }

// squares is a sum of squared differences, in discs.
type squares struct{ sum, n float64 }

// errorSample holds the differences between shallow and deep searches.
type errorSample struct {
	search          *midgame.Search
	positions       int
	midgame, ending map[searchPair]squares
}

// playGame plays a game from a random opening, with an error in twelve moves, and samples some
// of its positions.
func (e *errorSample) playGame(ctx context.Context, r *rand.Rand) error {
	p, err := othello.Game.Start(nil)
	if err != nil {
		return err //nolint:wrapcheck // it cannot fail
	}
	small := p.(*othello.Small)
	random := 6 + r.IntN(8)
	for ply := 0; !p.Result().Over(); ply++ {
		if err := ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the caller says what was being done
		}
		w := small.Bitboards()
		if w.Moves == 0 {
			p.Play(game.Pass)
			continue
		}
		if ply >= random && r.IntN(probCutEvery) == 0 {
			e.add(w)
		}
		square := game.NthBit(w.Moves, r.IntN(bits.OnesCount64(w.Moves)))
		if ply >= random && r.IntN(12) > 0 {
			square = e.best(&w)
		}
		p.Play(small.Move(square))
	}
	return nil
}

// best returns the best move of a search without cuts, which no earlier fit changes.
func (e *errorSample) best(w *othello.Bitboards) (square int) {
	e.search.Reset()
	top := math.MinInt
	for m := w.Moves; m != 0; m &= m - 1 {
		at := bits.TrailingZeros64(m)
		if v := -e.search.Value(w.Play(at), probCutPlay-1); v > top {
			top, square = v, at
		}
	}
	return square
}

// add samples a position.
func (e *errorSample) add(w othello.Bitboards) {
	empty := bits.OnesCount64(w.Empty())
	if empty < probCutLast || empty > probCutFirst {
		return
	}
	e.positions++
	var scores [probCutDeep + 1]int
	e.search.Reset()
	for depth := range min(empty, len(scores)) {
		scores[depth] = e.search.Value(w, depth)
		for shallow := range depth {
			if shallow == 0 || (depth-shallow)%2 == 0 {
				add(e.midgame, searchPair{empty, depth, shallow}, scores[depth]-scores[shallow])
			}
		}
	}
	if empty > probCutSolved {
		return
	}
	end := e.search.Value(w, empty)
	for shallow := range min(empty, len(scores)) {
		add(e.ending, searchPair{empty, empty, shallow}, end-scores[shallow])
	}
}

// add adds a difference in points.
func add(to map[searchPair]squares, pair searchPair, points int) {
	s, d := to[pair], float64(points)/pattern.Unit
	to[pair] = squares{s.sum + d*d, s.n + 1}
}

// fitErrors fits the logarithms of the standard errors by weighted least squares. off is the
// root mean square of what is left.
func fitErrors(sample map[searchPair]squares) (m midgame.ErrorModel, off float64) {
	var right [len(m)]float64
	normal := make([][]float64, len(m))
	for i := range normal {
		normal[i] = make([]float64, len(m))
		normal[i][i] = 1e-3 // terms that are always 0
	}
	each := func(f func(x midgame.ErrorModel, y, weight float64)) {
		for empty := probCutLast; empty <= probCutFirst; empty++ { // not in the order of the map, so that sums are the same
			for deep := range empty + 1 {
				for shallow := range deep {
					if s := sample[searchPair{empty, deep, shallow}]; s.n >= probCutCell && s.sum > 0 {
						f(midgame.ErrorTerms(empty, deep, shallow), math.Log(math.Sqrt(s.sum/s.n)), s.n)
					}
				}
			}
		}
	}
	each(func(x midgame.ErrorModel, y, weight float64) {
		for i := range x {
			for j := range i + 1 {
				normal[i][j] += weight * x[i] * x[j]
			}
			right[i] += weight * x[i] * y
		}
	})
	m = midgame.ErrorModel(solveSymmetric(normal, right[:]))
	var sum, n float64
	each(func(x midgame.ErrorModel, y, weight float64) {
		for i := range x {
			y -= m[i] * x[i]
		}
		sum += weight * y * y
		n += weight
	})
	return m, math.Sqrt(sum / max(n, 1))
}
