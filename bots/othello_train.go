package bots

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"quintet/bots/othello/pattern"
	"quintet/train"
)

// patternTrainer is the Trainer of Othello's pattern weights. It writes them in their own
// binary format.
type patternTrainer struct {
	settings  train.Settings
	from, out string
}

func newPatternTrainer() *patternTrainer {
	return &patternTrainer{settings: train.Settings{Games: 400_000, Depth: 4, Play: 2, Exact: 12, Ridge: 8, Seed: 1, Threads: 1}}
}

// Help implements Trainer.
func (*patternTrainer) Help() (long, example string) {
	return `Train othello lets the engine play itself on 8 by 8 without pits, takes a position
of each stage from each game, and fits the weights of the patterns to what searches
and exact endings say of them. The same flags give the same file.`,
		`  quintet train othello --games 150000 --seed 1 --out a.gz
  quintet train othello --from a.gz --games 500000 --seed 2 --out b.gz`
}

// Flags implements Trainer.
func (t *patternTrainer) Flags(flags *flag.FlagSet) {
	s := &t.settings
	flags.IntVar(&s.Games, "games", s.Games, "games to take positions from, one of each stage")
	flags.StringVar(&t.from, "from", "", "file of weights for playing the games (default: play by mobility)")
	flags.IntVar(&s.Play, "play", s.Play, "search depth of the players, in plies")
	flags.IntVar(&s.Depth, "depth", s.Depth, "search depth for labelling positions, in plies")
	flags.IntVar(&s.Exact, "exact", s.Exact, "number of empty cells from which positions are solved")
	flags.Float64Var(&s.Ridge, "ridge", s.Ridge, "ridge penalty on large weights")
	flags.Uint64Var(&s.Seed, "seed", s.Seed, "of the games")
	flags.IntVar(&s.Threads, "threads", s.Threads, "threads")
	flags.StringVar(&t.out, "out", "othello8.gz", "file to write")
}

// Check implements Trainer.
func (t *patternTrainer) Check() error {
	s := t.settings
	for _, f := range []struct {
		name         string
		value, least int
	}{{"games", s.Games, 20}, {"play", s.Play, 1}, {"depth", s.Depth, 1}, {"exact", s.Exact, 4}, {"threads", s.Threads, 1}} {
		if f.value < f.least {
			return fmt.Errorf(`%s "%d": expected %d or more`, f.name, f.value, f.least)
		}
	}
	if !(s.Ridge > 0) {
		return fmt.Errorf(`ridge "%g": expected a number above 0`, s.Ridge)
	}
	return nil
}

// Train implements Trainer. It writes to the file of its settings, not to out.
func (t *patternTrainer) Train(ctx context.Context, report func(line string), _ io.Writer) error {
	s := t.settings
	if t.from != "" {
		w, err := readWeights(t.from)
		if err != nil {
			return err
		}
		s.From = w
	}
	file, err := os.Create(t.out) // fail before hours of work, not after
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	w, err := train.Othello(ctx, s, report)
	if err == nil {
		err = w.Write(file)
	}
	return errors.Join(err, file.Close())
}

func readWeights(name string) (*pattern.Weights, error) {
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	w, err := pattern.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, file.Close()
}
