package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/farm/coordinator"
	"quintet/farm/jobtypes"
	"quintet/games"
	"quintet/internal/cli"
	"quintet/lab/train/selfplay"
)

// newTrain groups the training commands, one for each game with a trainer.
func newTrain() *cobra.Command {
	c := &cobra.Command{
		Use:   "train GAME",
		Short: "Train the weights of an evaluation by self-play",
		Args:  cli.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return failed(c.Help()) },
	}
	for _, g := range games.All() {
		if trainer := bots.ProfileFor(g).Trainer; trainer != nil {
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
		Args:    cli.NoArgs,
	}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	t.Flags(flags)
	c.Flags().AddGoFlagSet(flags)
	var shared farmFlags
	player, shareable := t.(bots.SelfPlayTrainer)
	if shareable {
		shared.add(c)
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := t.Check(); err != nil {
			return err //nolint:wrapcheck // it says which setting is wrong
		}
		ctx, stop := interruptible(c)
		defer stop()
		report := func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		train := func() error { return t.Train(ctx, report, c.OutOrStdout()) }
		if err := shared.check(); err != nil {
			return err
		}
		if shared.wanted() {
			return trainOnFarm(ctx, c, &shared, player, train)
		}
		return failed(train())
	}
	return c
}

// trainOnFarm trains with games that a farm plays.
func trainOnFarm(ctx context.Context, c *cobra.Command, f *farmFlags, t bots.SelfPlayTrainer, train func() error) error {
	var run *farmRun
	err := t.PlayRemotely(func(ctx context.Context, s bots.SelfPlay) (selfplay.Source, error) { return run.selfPlay(ctx, s) })
	if err != nil {
		return err //nolint:wrapcheck // it says which setting is wrong
	}
	if run, err = f.connect(ctx, c.ErrOrStderr()); err != nil {
		return failed(err)
	}
	defer run.Close()
	if err := train(); !errors.Is(err, errDetached) {
		return failed(err)
	}
	_, err = run.detached(c.OutOrStdout())
	return err
}

// errDetached says that the farm plays games for which nobody waits.
var errDetached = errors.New("submitted")

// selfPlay lets the farm play games, and returns them. The jobs of earlier rounds are done.
func (r *farmRun) selfPlay(ctx context.Context, s bots.SelfPlay) (selfplay.Source, error) {
	settings := jobtypes.NewSelfPlay(s)
	r.jobs = nil
	if err := r.add(ctx, jobtypes.SelfPlayName, settings, s.Weights); err != nil {
		return nil, err
	}
	if r.flags.detach {
		return nil, errDetached
	}
	var results *coordinator.Follower
	return settings.Records(func(ctx context.Context, unit int) (string, error) {
		if results == nil {
			results = r.follow(0, unit)
		}
		payload, err := results.Next(ctx)
		return payload, r.ended(err)
	}), nil
}
