package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"quintet/bots/othello/pattern"
	"quintet/train"
)

func newTrainOthello() *cobra.Command {
	s := train.Settings{Games: 400_000, Depth: 4, Play: 2, Exact: 12, Ridge: 8, Seed: 1, Threads: 1}
	var from, out string
	c := &cobra.Command{
		Use:   "othello",
		Short: "Make the weights of the Othello evaluation",
		Long: `Train othello lets the engine play itself on 8 by 8 without pits, takes a position
of each stage from each game, and fits the weights of the patterns to what searches
and exact endings say of them. The same flags give the same file.`,
		Example: `  quintet train othello --games 150000 --seed 1 --out a.gz
  quintet train othello --from a.gz --games 500000 --seed 2 --out b.gz`,
		Args: cobra.NoArgs,
	}
	c.Flags().IntVar(&s.Games, "games", s.Games, "games to take positions from, one of each stage")
	c.Flags().StringVar(&from, "from", "", "file of weights to play the games by; without one, they are played by mobility")
	c.Flags().IntVar(&s.Play, "play", s.Play, "plies that the players of the games look ahead")
	c.Flags().IntVar(&s.Depth, "depth", s.Depth, "plies that positions are searched to")
	c.Flags().IntVar(&s.Exact, "exact", s.Exact, "empty cells from which on positions are played out")
	c.Flags().Float64Var(&s.Ridge, "ridge", s.Ridge, "how much small weights are preferred")
	c.Flags().Uint64Var(&s.Seed, "seed", s.Seed, "of the games")
	c.Flags().IntVar(&s.Threads, "threads", s.Threads, "threads")
	c.Flags().StringVar(&out, "out", "othello8.gz", "file to write")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := checkTraining(s); err != nil {
			return err
		}
		ctx, stop := interruptible(c)
		defer stop()
		if from != "" {
			w, err := readWeights(from)
			if err != nil {
				return failed(err)
			}
			s.From = w
		}
		file, err := os.Create(out) //nolint:gosec // the user names the file; if it cannot be written, better to know now
		if err != nil {
			return failed(err)
		}
		w, err := train.Othello(ctx, s, func(text string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), text) })
		if err == nil {
			err = w.Write(file)
		}
		return failed(errors.Join(err, file.Close()))
	}
	return c
}

// checkTraining says what is wrong with settings, if anything is.
func checkTraining(s train.Settings) error {
	for _, f := range []struct {
		name         string
		value, least int
	}{{"games", s.Games, 20}, {"play", s.Play, 1}, {"depth", s.Depth, 1}, {"exact", s.Exact, 4}, {"threads", s.Threads, 1}} {
		if f.value < f.least {
			return fmt.Errorf(`%s "%d": want %d or more`, f.name, f.value, f.least)
		}
	}
	if !(s.Ridge > 0) {
		return fmt.Errorf(`ridge "%g": want a number above 0`, s.Ridge)
	}
	return nil
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
