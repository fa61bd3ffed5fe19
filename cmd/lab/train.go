package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/spf13/cobra"

	"quintet/farm/coordinator"
	"quintet/games"
	"quintet/lab/jobs"
	"quintet/lab/train"
	"quintet/lab/train/selfplay"
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
	var farm jobs.Client
	farm.Flags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := t.Check(); err != nil {
			return err
		}
		if farm.Wanted() {
			if err := t.PlayRemotely(func(s train.SelfPlay) selfplay.Source { return selfPlay(&farm, s) }); err != nil {
				return err
			}
		}
		defer farm.Close()
		return t.Train(c.Context(), func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }, c.OutOrStdout())
	}
	return c
}

// selfPlay lets the farm play games, and returns them.
func selfPlay(farm *jobs.Client, s train.SelfPlay) selfplay.Source {
	settings := jobs.NewSelfPlay(s)
	var results *coordinator.Follower
	return settings.Records(func(ctx context.Context, unit int) (payload string, err error) {
		if results == nil {
			if results, err = farm.Submit(ctx, jobs.SelfPlayName, settings, s.Weights, unit); err != nil {
				return "", err
			}
		}
		return results.Next(ctx)
	})
}
