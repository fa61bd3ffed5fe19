package main

import (
	"flag"
	"fmt"

	"github.com/spf13/cobra"

	"quintet/games"
	"quintet/lab/train"
)

// newTrain groups the training commands, one for each game with a trainer.
func newTrain() *cobra.Command {
	c := &cobra.Command{
		Use:   "train GAME",
		Short: "Train the weights of an evaluation by self-play",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, g := range games.All() {
		if t := train.TrainerOf(g); t != nil {
			c.AddCommand(newTrainGame(g.Name, g.Title, t))
		}
	}
	return c
}

func newTrainGame(name, title string, t train.Trainer) *cobra.Command {
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
			return err
		}
		return t.Train(c.Context(), func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }, c.OutOrStdout())
	}
	return c
}
