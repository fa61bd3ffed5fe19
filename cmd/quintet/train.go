package main

import (
	"flag"
	"fmt"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/games"
)

// newTrain groups the training commands, one for each game with a trainer.
func newTrain() *cobra.Command {
	c := &cobra.Command{
		Use:   "train GAME",
		Short: "Train the weights of an evaluation by self-play",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return failed(c.Help()) },
	}
	for _, g := range games.All() {
		if trainer := bots.For(g).Trainer; trainer != nil {
			c.AddCommand(newTrainGame(g.Name, g.Title, trainer()))
		}
	}
	return c
}

func newTrainGame(name, title string, t bots.Trainer) *cobra.Command {
	long, example := t.Help()
	c := &cobra.Command{
		Use:     name,
		Short:   "Train the evaluation weights of " + title,
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
	}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	t.Flags(flags)
	c.Flags().AddGoFlagSet(flags)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := t.Check(); err != nil {
			return err //nolint:wrapcheck // it says which setting is wrong
		}
		ctx, stop := interruptible(c)
		defer stop()
		report := func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		return failed(t.Train(ctx, report, c.OutOrStdout()))
	}
	return c
}
