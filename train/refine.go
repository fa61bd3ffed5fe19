package train

// This file refines the weights of 8 by 8 Othello by the games of searches of some plies: each
// position learns from the scores of the searches of its game after it, and from its end.

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/bits"
	"sync"

	"quintet/bots/othello/pattern"
	"quintet/train/selfplay"
)

// Refinement are the settings of a run of Refine.
type Refinement struct {
	ScoredGames

	Ridge     float64 // L2 penalty on the changes of weights
	Threads   int
	Positions string // file of the games played so far, to continue

	// Lambda is the lambda of TD(lambda), 0 to 1: a label is an average of the score of the position's own
	// search, which counts 1-Lambda, and of the label of the position after it (Sutton, "Learning to
	// predict by the methods of temporal differences", 1988).
	Lambda float64

	// Source returns the games, as ScoredGames records them; nil to play them here.
	Source selfplay.Source
}

// Refine fits the weights of the settings to games that they play. The penalty is on changes, so that
// weights of pictures that the games hardly have stay those of the players. The same settings give the
// same weights. progress receives status lines.
func Refine(ctx context.Context, s Refinement, progress func(string)) (*pattern.Weights, error) {
	var stages [pattern.Stages][]labelled
	err := s.file().each(ctx, progress, func(i int, line string) error { return s.addGame(&stages, i, line) })
	if err != nil {
		return nil, fmt.Errorf("playing games: %w", err)
	}
	return s.fit(ctx, &stages, progress)
}

// file returns the file of the games.
func (s *Refinement) file() *gameFile {
	g := &gameFile{
		name: s.Positions, games: s.Games, threads: s.Threads,
		header: fmt.Sprintf("othello 8x8: seed %d, depth %d, exact %d, weights %x", s.Seed, s.Depth, s.Exact, s.From.Hash()),
		record: func() func(context.Context, int) (string, error) { return encoded(s.Play().Record) },
	}
	if s.Source != nil {
		g.threads, g.record = 1, func() func(context.Context, int) (string, error) { return encoded(s.Source) }
	}
	return g
}

// encoded returns what writes the records of games as lines.
func encoded(source selfplay.Source) func(context.Context, int) (string, error) {
	return func(ctx context.Context, i int) (string, error) {
		choices, err := choicesOf(ctx, source, i)
		return base64.RawStdEncoding.EncodeToString(choices), err
	}
}

// labelled is a position and what it learns, in points.
type labelled struct {
	board

	label int16
	held  bool
}

// addGame adds the positions of a line to those of their stages.
func (s *Refinement) addGame(stages *[pattern.Stages][]labelled, i int, line string) error {
	choices, err := base64.RawStdEncoding.DecodeString(line)
	if err != nil {
		return fmt.Errorf("game %d: %w", i+1, err)
	}
	game, err := s.replay(i, choices)
	if err != nil {
		return err
	}
	next := float64(game.margin * pattern.Unit)
	for k := len(game.positions) - 1; k >= 0; k-- {
		p := &game.positions[k]
		own := p.sign * float64(p.score)
		if p.random || p.empty() <= s.Exact {
			next = own // the score is exact, or what comes after it says nothing of it
		}
		next = s.Lambda*next + (1-s.Lambda)*own
		stage := pattern.Stage(64 - p.empty())
		stages[stage] = append(stages[stage], labelled{p.board, int16(p.sign * next), i%heldOutShare == heldOutShare-1})
	}
	return nil
}

// fit returns the weights that fit positions best, stage by stage.
func (s *Refinement) fit(ctx context.Context, stages *[pattern.Stages][]labelled, progress func(string)) (*pattern.Weights, error) {
	w, f := new(pattern.Weights), pattern.NewFitter()
	*w = *s.From
	var vectors [pattern.Stages]pattern.Vector
	var lines [pattern.Stages]string
	var wait sync.WaitGroup
	for thread := range s.Threads {
		wait.Go(func() {
			for stage := thread; stage < pattern.Stages && ctx.Err() == nil; stage += s.Threads {
				vectors[stage], lines[stage] = s.fitStage(f, stage, stages[stage])
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("fitting: %w", err)
	}
	for stage, v := range vectors {
		progress(lines[stage])
		f.Set(w, stage, v)
	}
	return w, nil
}

// fitStage returns the weights of a stage, and a line about them.
func (s *Refinement) fitStage(f *pattern.Fitter, stage int, positions []labelled) (pattern.Vector, string) {
	var rows [][pattern.Features]int32
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
	fitted := equations[[]int32]{func(i int) []int32 { return rows[i][:] }, targets, f.Length()}
	held := equations[[]int32]{func(i int) []int32 { return heldOut[i][:] }, missing, f.Length()}
	before := make([]float64, f.Length())
	change := fitted.solve(before, s.Ridge, rounds)
	v := f.Vector(s.From, stage)
	for i, x := range change {
		v[i] += x
	}
	return v, fmt.Sprintf("stage %2d: %d positions, error %.2f discs before, %.2f after; held out %.2f, %.2f", stage, len(rows),
		fitted.rmse(before, 0)/pattern.Unit, fitted.rmse(change, 0)/pattern.Unit, held.rmse(before, 0)/pattern.Unit, held.rmse(change, 0)/pattern.Unit)
}

// evaluate returns the numbers of a position, and its evaluation by the weights of the players.
func (s *Refinement) evaluate(f *pattern.Fitter, b board) (row [pattern.Features]int32, value float64) {
	w := b.words()
	moves, replies := bits.OnesCount64(w.Moves), bits.OnesCount64(w.Pass().Moves)
	return f.Row(b.own, b.other, bits.OnesCount64(b.own|b.other), moves, replies), float64(s.From.Eval(b.own, b.other, moves, replies))
}
