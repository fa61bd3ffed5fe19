package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"quintet/pattern"
	"quintet/train"
)

func newTrain() *cobra.Command {
	s := train.Settings{Games: 400_000, Depth: 4, Play: 2, Exact: 12, Ridge: 8, Seed: 1, Threads: 1}
	var from, out string
	c := &cobra.Command{
		Use:   "train othello",
		Short: "Make the weights of an evaluation again, from self-play",
		Args:  oneGame,
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
		ctx, stop := interruptible(c)
		defer stop()
		if from != "" {
			w, err := readWeights(from)
			if err != nil {
				return failed(err)
			}
			s.From = w
		}
		w, err := train.Othello(ctx, s, func(text string) { fmt.Fprintln(c.ErrOrStderr(), text) })
		if err != nil {
			return failed(err)
		}
		file, err := os.Create(out)
		if err != nil {
			return failed(err)
		}
		if err := w.Write(file); err != nil {
			return failed(err)
		}
		return failed(file.Close())
	}
	return c
}

func readWeights(name string) (*pattern.Weights, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	w, err := pattern.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, file.Close()
}
