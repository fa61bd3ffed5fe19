// Package train fits the weights of evaluations to games of self-play.
//
// Training goes by rounds: the engine plays games with the weights of the round before, and the
// weights are fitted to these games. The same settings give the same weights, with any number
// of threads and after any number of stops.
package train

import (
	"context"
	"fmt"

	"quintet/bots/othello/pattern"
)

// Settings are the settings of a training run for 8 by 8 Othello.
type Settings struct {
	Rounds    []Round
	From      *pattern.Weights // of the players of the first round
	Seed      uint64           // of the games of the first round; that of the next round is one more
	Threads   int
	Positions string // file of the games, to continue: ".1" follows for the first round
}

// Round is a round of training for 8 by 8 Othello.
type Round struct {
	Games int
	Depth int     // of the players' searches: see ScoredGames
	Exact int     // empty cells from which they search to the end
	Ridge float64 // L2 penalty on changes of weights, so that the weights of patterns that hardly occur in games stay what they were

	// Lambda is the lambda of TD(lambda), 0 to 1: a label is an average of the score of the position's own
	// search, which counts 1-Lambda, and of the label of the position after it (Sutton, "Learning to
	// predict by the methods of temporal differences", 1988).
	Lambda float64

	// Window is how many rounds the weights learn from: this one, as with 0 and 1, or those before it,
	// too, as far as there are any. The changes are those of the weights with which the first of them was played.
	Window int
}

// Rounds returns the rounds that made the weights of the program.
func Rounds() []Round {
	return []Round{
		{Games: 50_000, Depth: 4, Exact: 10, Ridge: 100, Lambda: 1},
		{Games: 100_000, Depth: 4, Exact: 10, Ridge: 50, Lambda: 0.97},
		{Games: 150_000, Depth: 6, Exact: 12, Ridge: 30, Lambda: 0.9},
		{Games: 100_000, Depth: 8, Exact: 14, Ridge: 30, Lambda: 0.85},
		{Games: 120_000, Depth: 8, Exact: 14, Ridge: 60, Lambda: 0.85},
		{Games: 120_000, Depth: 8, Exact: 14, Ridge: 30, Lambda: 0.85, Window: 3},
		{Games: 120_000, Depth: 8, Exact: 14, Ridge: 30, Lambda: 0.85, Window: 3},
	}
}

// Othello trains weights for 8 by 8 Othello: each position of a game learns from the scores of the
// searches after it, and from the end. progress receives status lines.
func Othello(ctx context.Context, s Settings, progress func(string)) (*pattern.Weights, error) {
	w := s.From
	var rounds []round
	for i, r := range s.Rounds {
		progress(roundLine(i, len(s.Rounds)))
		rounds = append(rounds, s.round(i, w))
		window := rounds[max(i+1-max(r.Window, 1), 0):]
		fit := patternFit{from: window[0].From, ridge: r.Ridge, lambda: r.Lambda, threads: s.Threads}
		for _, played := range window {
			err := played.file.each(ctx, progress, func(game int, line string) error { return fit.addGame(&played.ScoredGames, game, line) })
			if err != nil {
				return nil, fmt.Errorf("playing games: %w", err)
			}
		}
		var err error
		if w, err = fit.weights(ctx, progress); err != nil {
			return nil, fmt.Errorf("fitting: %w", err)
		}
	}
	return w, nil
}

// roundLine is the status line at the beginning of round i.
func roundLine(i, rounds int) string { return fmt.Sprintf("round %d of %d", i+1, rounds) }

// roundFile returns the name of the file of round i.
func roundFile(positions string, i int) string { return fmt.Sprintf("%s.%d", positions, i+1) }

// round is the games of a round, and their file.
type round struct {
	ScoredGames

	file *gameFile
}

// round returns the games of round i, whose players have weights.
func (s *Settings) round(i int, w *pattern.Weights) round {
	r := s.Rounds[i]
	g := ScoredGames{Games: r.Games, From: w, Depth: r.Depth, Exact: r.Exact, Seed: s.Seed + uint64(i)}
	file := &gameFile{
		name: roundFile(s.Positions, i), games: g.Games, threads: s.Threads,
		header: fmt.Sprintf("othello 8x8: seed %d, depth %d, exact %d, weights %x", g.Seed, g.Depth, g.Exact, w.Hash()),
		record: func() recorder { return encoded(g.Play()) },
	}
	return round{g, file}
}
