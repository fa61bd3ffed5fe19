package train

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"quintet/bots/othello/pattern"
)

// patternFit fits weights for 8 by 8 Othello to the positions of games.
type patternFit struct {
	from          *pattern.Weights // the weights whose changes are fitted
	ridge, lambda float64          // see Round
	threads       int
	stages        [pattern.Stages][]labelled
}

// labelled is a position and what it learns, in points.
type labelled struct {
	board

	label int16
	held  bool
}

// heldOutShare is the share of the held-out set: one game in 20.
const heldOutShare = 20

// addGame adds the positions of game number i, which has a line in a file.
func (s *patternFit) addGame(games *ScoredGames, i int, line string) error {
	choices, err := decodeLine(i, line)
	if err != nil {
		return err
	}
	game, err := games.replay(i, choices)
	if err != nil {
		return err
	}
	next := float64(game.margin * pattern.Unit)
	for k := len(game.positions) - 1; k >= 0; k-- {
		p := &game.positions[k]
		own := p.sign * float64(p.score)
		if p.random || p.empty() <= games.Exact {
			next = own // the score is exact, or what comes after it says nothing of it
		}
		next = s.lambda*next + (1-s.lambda)*own
		stage := pattern.Stage(64 - p.empty())
		s.stages[stage] = append(s.stages[stage], labelled{p.board, int16(p.sign * next), i%heldOutShare == heldOutShare-1})
	}
	return nil
}

// weights returns the weights that fit the positions best, stage by stage.
func (s *patternFit) weights(ctx context.Context, progress func(string)) (*pattern.Weights, error) {
	w, f := new(pattern.Weights), pattern.NewFitter()
	*w = *s.from
	var vectors [pattern.Stages]pattern.Vector
	var lines [pattern.Stages]string
	var wait sync.WaitGroup
	for thread := range s.threads {
		wait.Go(func() {
			for stage := thread; stage < pattern.Stages && ctx.Err() == nil; stage += s.threads {
				vectors[stage], lines[stage] = s.fitStage(f, stage)
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err //nolint:wrapcheck // the caller says what was being done
	}
	for stage, v := range vectors {
		progress(lines[stage])
		f.Set(w, stage, v)
	}
	return w, nil
}

// fitStage returns the weights of a stage, and a line about them.
func (s *patternFit) fitStage(f *pattern.Fitter, stage int) (pattern.Vector, string) {
	positions := s.stages[stage]
	if len(positions) == 0 {
		return f.Vector(s.from, stage), fmt.Sprintf("stage %2d: no positions", stage)
	}
	rows := make([][pattern.Features]int32, 0, len(positions))
	var targets, missing []float64 // what the weights lack, in points; the second of the held-out set
	var heldOut [][pattern.Features]int32
	for _, p := range positions {
		row, value := s.evaluate(f, p.board)
		if p.held {
			heldOut, missing = append(heldOut, row), append(missing, float64(p.label)-value)
		} else {
			rows, targets = append(rows, row), append(targets, float64(p.label)-value)
		}
	}
	const rounds = 40
	fitted := equations{func(i int) []int32 { return rows[i][:] }, targets, f.Length()}
	held := equations{func(i int) []int32 { return heldOut[i][:] }, missing, f.Length()}
	before := make([]float64, f.Length())
	change := fitted.solve(s.ridge, rounds)
	v := f.Vector(s.from, stage)
	for i, x := range change {
		v[i] += x
	}
	return v, fmt.Sprintf("stage %2d: %d positions, error %.2f discs before, %.2f after; held out %.2f, %.2f", stage, len(rows),
		fitted.rmse(before)/pattern.Unit, fitted.rmse(change)/pattern.Unit, held.rmse(before)/pattern.Unit, held.rmse(change)/pattern.Unit)
}

// evaluate returns the numbers of a position, and its evaluation by the weights before.
func (s *patternFit) evaluate(f *pattern.Fitter, b board) (row [pattern.Features]int32, value float64) {
	w := b.words()
	moves, replies := bits.OnesCount64(w.Moves), bits.OnesCount64(w.Pass().Moves)
	return f.Row(b.own, b.other, bits.OnesCount64(b.own|b.other), moves, replies), float64(s.from.Eval(b.own, b.other, moves, replies))
}
