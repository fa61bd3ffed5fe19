// Package train fits the weights of evaluations to self-play games and to searches of
// their positions.
//
// The same settings and seed give the same weights.
package train

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"quintet/bots/othello/pattern"
	"quintet/games/othello"
	"quintet/train/selfplay"
)

// Settings are the settings of a training run.
type Settings struct {
	Games   int              // self-play games; each gives one position per stage
	From    *pattern.Weights // weights of the players; nil to play by mobility
	Play    int              // search depth of the players in every other game; 1 in the rest
	Depth   int              // search depth of the labels, in plies
	Exact   int              // positions with at most this many empty cells are solved
	Ridge   float64          // L2 penalty
	Seed    uint64           // of the games
	Threads int

	// Source returns the games, as Play8x8 records them; nil to play them here.
	Source selfplay.Source

	// Labels returns the values of positions of a stage by searches with weights; nil to
	// search here. It must give the values of a Labeler.
	Labels func(ctx context.Context, p Positions, w *pattern.Weights) ([]int, error)
}

// Othello trains weights for 8 by 8 Othello. It samples one position of each stage
// from every self-play game. The last stages learn exact values; each earlier stage
// learns the results of searches that reach the later stages. Calibration follows;
// see calibrate. progress receives status lines.
func Othello(ctx context.Context, s Settings, progress func(string)) (*pattern.Weights, error) {
	w := new(pattern.Weights)
	if s.From != nil {
		*w = *s.From
	}
	f := pattern.NewFitter()
	samples, err := s.samplePositions(ctx)
	for stage := pattern.Stages - 1; stage >= 0 && err == nil; stage-- {
		var values []float64
		if values, err = s.label(ctx, samples[stage], w); err != nil {
			break
		}
		v, miss := s.fit(f, samples[stage], values)
		f.Set(w, stage, v)
		progress(fmt.Sprintf("stage %2d: %d positions, error %.2f discs, held out %.2f",
			stage, len(values), miss[0]/pattern.Unit, miss[1]/pattern.Unit))
	}
	if err == nil {
		err = s.calibrate(ctx, w, progress)
	}
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return w, nil
}

// board is a position with the side to move first.
type board struct{ own, other uint64 }

func (b board) words() othello.Bitboards {
	w := othello.Bitboards{Own: b.other, Other: b.own, Ground: ^uint64(0)}
	return w.Pass()
}

// samplePositions samples one position of each stage from every game.
func (s Settings) samplePositions(ctx context.Context) (stages [pattern.Stages][]board, err error) {
	source := s.Source
	if source == nil {
		source = s.Play8x8().Record
	}
	for i := range s.Games {
		g, err := s.readGame(ctx, source, i)
		if err != nil {
			return stages, err
		}
		for stage, n := range g.taken {
			if n > 0 {
				stages[stage] = append(stages[stage], g.sampled[stage])
			}
		}
	}
	return stages, nil
}

// playAndPass plays a move, and a pass if the opponent must pass. It reports whether
// the game is over.
func playAndPass(w *othello.Bitboards, square int) (after othello.Bitboards, over bool) {
	if after = w.Play(square); after.Moves == 0 {
		after = after.Pass()
	}
	return after, after.Moves == 0
}

func startBoard() board { return board{1<<28 | 1<<35, 1<<27 | 1<<36} }

// label returns the search values of positions, in units of pattern.Unit discs.
func (s Settings) label(ctx context.Context, boards []board, w *pattern.Weights) ([]float64, error) {
	labels := s.Labels
	if labels == nil {
		labels = s.labelHere
	}
	found, err := labels(ctx, encodePositions(boards), w)
	if err != nil {
		return nil, err
	}
	if len(found) != len(boards) {
		return nil, fmt.Errorf("%d values of %d positions", len(found), len(boards))
	}
	values := make([]float64, len(found))
	for i, v := range found {
		values[i] = float64(v)
	}
	return values, nil
}

// labelHere searches positions on the threads of the settings.
func (s Settings) labelHere(ctx context.Context, p Positions, w *pattern.Weights) ([]int, error) {
	values := make([]int, p.Len())
	var wait sync.WaitGroup
	for thread := range s.Threads {
		wait.Go(func() {
			l := NewLabeler(w, s.Depth, s.Exact)
			for i := thread; i < len(values) && ctx.Err() == nil; i += s.Threads {
				values[i] = l.Value(p, i)
			}
		})
	}
	wait.Wait()
	return values, ctx.Err()
}

// heldOutShare is the share of the held-out set: one position in 20.
const heldOutShare = 20

// fit returns the weights of a stage and their errors on the training set and on the
// held-out set.
func (s Settings) fit(f *pattern.Fitter, boards []board, values []float64) (v pattern.Vector, miss [2]float64) {
	rows := make([][pattern.Features]int32, len(boards))
	for i, b := range boards {
		w := b.words()
		other := w.Pass()
		rows[i] = f.Row(b.own, b.other, bits.OnesCount64(b.own|b.other), bits.OnesCount64(w.Moves), bits.OnesCount64(other.Moves))
	}
	all := equations[[]int32]{func(i int) []int32 { return rows[i][:] }, values, f.Length()}
	part := all
	part.targets = values[:len(values)-len(values)/heldOutShare]
	v = part.solve(make([]float64, f.Length()), s.Ridge, 60)
	return v, [2]float64{part.rmse(v, 0), all.rmse(v, len(part.targets))}
}
