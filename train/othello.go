// Package train fits the weights of evaluations to games of self-play.
//
// Training goes by rounds: the engine plays games with the weights of the round before, and the
// weights are fitted to these games. The same settings give the same weights, with any number
// of threads and after any number of stops.
package train

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/bits"
	"sync"

	"quintet/bots/othello/pattern"
	"quintet/train/selfplay"
)

// Settings are the settings of a training run for 8 by 8 Othello.
type Settings struct {
	Rounds    []Round
	From      *pattern.Weights // of the players of the first round
	Seed      uint64           // of the games of the first round; that of the next round is one more
	Threads   int
	Positions string // file of the games, to continue: ".1" follows for the first round

	// Elsewhere returns a source of games that are not played here. It is nil to play them here.
	Elsewhere func(g ScoredGames) selfplay.Source
}

// Round is a round of training for 8 by 8 Othello.
type Round struct {
	Games int
	Depth int     // of the players' searches: see ScoredGames
	Exact int     // empty cells from which they search to the end
	Ridge float64 // L2 penalty on the changes of weights

	// Lambda is the lambda of TD(lambda), 0 to 1: a label is an average of the score of the position's own
	// search, which counts 1-Lambda, and of the label of the position after it (Sutton, "Learning to
	// predict by the methods of temporal differences", 1988).
	Lambda float64
}

// Rounds returns the rounds that made the weights of the program.
func Rounds() []Round {
	return []Round{
		{Games: 50_000, Depth: 4, Exact: 10, Ridge: 100, Lambda: 1},
		{Games: 100_000, Depth: 4, Exact: 10, Ridge: 50, Lambda: 0.97},
		{Games: 150_000, Depth: 6, Exact: 12, Ridge: 30, Lambda: 0.9},
		{Games: 100_000, Depth: 8, Exact: 14, Ridge: 30, Lambda: 0.85},
		{Games: 120_000, Depth: 8, Exact: 14, Ridge: 60, Lambda: 0.85},
	}
}

// Othello trains weights for 8 by 8 Othello: each position of a game learns from the scores of the
// searches after it, and from the end. The penalty is on changes, so that weights of
// pictures that the games of a round hardly have stay those of its players. progress receives status
// lines.
func Othello(ctx context.Context, s Settings, progress func(string)) (*pattern.Weights, error) {
	w := s.From
	for i, r := range s.Rounds {
		progress(roundLine(i, len(s.Rounds)))
		games := ScoredGames{Games: r.Games, From: w, Depth: r.Depth, Exact: r.Exact, Seed: s.Seed + uint64(i)}
		now := round{games, r.Ridge, r.Lambda, s.Threads}
		file := now.file(roundFile(s.Positions, i))
		if s.Elsewhere != nil {
			file.playElsewhere(encoded(s.Elsewhere(games)))
		}
		var err error
		if w, err = now.learn(ctx, file, progress); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// roundLine is the status line at the beginning of round i.
func roundLine(i, rounds int) string { return fmt.Sprintf("round %d of %d", i+1, rounds) }

// roundFile returns the name of the file of round i.
func roundFile(positions string, i int) string { return fmt.Sprintf("%s.%d", positions, i+1) }

// round is the games of a round, and how to learn from them.
type round struct {
	ScoredGames

	ridge, lambda float64 // see Round
	threads       int
}

// file returns the file of the games.
func (s *round) file(name string) *gameFile {
	return &gameFile{
		name: name, games: s.Games, threads: s.threads,
		header: fmt.Sprintf("othello 8x8: seed %d, depth %d, exact %d, weights %x", s.Seed, s.Depth, s.Exact, s.From.Hash()),
		record: func() recorder { return encoded(s.Play().Record) },
	}
}

// learn plays the games that the file lacks, and returns the weights that all of them teach.
func (s *round) learn(ctx context.Context, file *gameFile, progress func(string)) (*pattern.Weights, error) {
	var stages [pattern.Stages][]labelled
	err := file.each(ctx, progress, func(i int, line string) error { return s.addGame(&stages, i, line) })
	if err != nil {
		return nil, fmt.Errorf("playing games: %w", err)
	}
	return s.fit(ctx, &stages, progress)
}

// encoded returns what writes the records of games as lines.
func encoded(source selfplay.Source) recorder {
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

// heldOutShare is the share of the held-out set: one game in 20.
const heldOutShare = 20

// addGame adds the positions of a line to those of their stages.
func (s *round) addGame(stages *[pattern.Stages][]labelled, i int, line string) error {
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
		next = s.lambda*next + (1-s.lambda)*own
		stage := pattern.Stage(64 - p.empty())
		stages[stage] = append(stages[stage], labelled{p.board, int16(p.sign * next), i%heldOutShare == heldOutShare-1})
	}
	return nil
}

// fit returns the weights that fit positions best, stage by stage.
func (s *round) fit(ctx context.Context, stages *[pattern.Stages][]labelled, progress func(string)) (*pattern.Weights, error) {
	w, f := new(pattern.Weights), pattern.NewFitter()
	*w = *s.From
	var vectors [pattern.Stages]pattern.Vector
	var lines [pattern.Stages]string
	var wait sync.WaitGroup
	for thread := range s.threads {
		wait.Go(func() {
			for stage := thread; stage < pattern.Stages && ctx.Err() == nil; stage += s.threads {
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
func (s *round) fitStage(f *pattern.Fitter, stage int, positions []labelled) (pattern.Vector, string) {
	if len(positions) == 0 {
		return f.Vector(s.From, stage), fmt.Sprintf("stage %2d: no positions", stage)
	}
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
	fitted := equations{func(i int) []int32 { return rows[i][:] }, targets, f.Length()}
	held := equations{func(i int) []int32 { return heldOut[i][:] }, missing, f.Length()}
	before := make([]float64, f.Length())
	change := fitted.solve(s.ridge, rounds)
	v := f.Vector(s.From, stage)
	for i, x := range change {
		v[i] += x
	}
	return v, fmt.Sprintf("stage %2d: %d positions, error %.2f discs before, %.2f after; held out %.2f, %.2f", stage, len(rows),
		fitted.rmse(before)/pattern.Unit, fitted.rmse(change)/pattern.Unit, held.rmse(before)/pattern.Unit, held.rmse(change)/pattern.Unit)
}

// evaluate returns the numbers of a position, and its evaluation by the weights of the players.
func (s *round) evaluate(f *pattern.Fitter, b board) (row [pattern.Features]int32, value float64) {
	w := b.words()
	moves, replies := bits.OnesCount64(w.Moves), bits.OnesCount64(w.Pass().Moves)
	return f.Row(b.own, b.other, bits.OnesCount64(b.own|b.other), moves, replies), float64(s.From.Eval(b.own, b.other, moves, replies))
}
