package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/farm/coordinator"
	"quintet/farm/kinds"
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
		if shareable {
			run, detached, err := shareSelfPlay(ctx, c, &shared, player)
			if err != nil || detached {
				return err
			}
			defer run.Close()
		}
		report := func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		return failed(t.Train(ctx, report, c.OutOrStdout()))
	}
	return c
}

// shareSelfPlay lets a farm play the games of a trainer, if one is wanted.
func shareSelfPlay(ctx context.Context, c *cobra.Command, f *farmFlags, t bots.SelfPlayTrainer) (run *farmRun, detached bool, err error) {
	if err := f.check(); err != nil || !f.wanted() {
		return &farmRun{}, false, err
	}
	games, err := t.SelfPlay()
	if err != nil {
		return nil, false, err //nolint:wrapcheck // it says which file
	}
	settings := kinds.NewSelfPlay(games)
	var blobs [][]byte
	if games.Given {
		blobs = append(blobs, games.Weights)
	}
	run, err = startOne(ctx, f, c.ErrOrStderr(), kinds.SelfPlayName, settings, blobs...)
	if err != nil {
		return nil, false, failed(err)
	}
	if detached, err = run.detached(c.OutOrStdout()); detached || err != nil {
		run.Close()
		return nil, detached, err
	}
	if l, ok := t.(bots.LabelTrainer); ok {
		l.LabelElsewhere(run.label)
	}
	var results *coordinator.Follower
	t.PlayElsewhere(settings.Records(func(ctx context.Context, unit int) (string, error) {
		if results == nil {
			results = run.follow(0, unit)
		}
		payload, err := results.Next(ctx)
		return payload, run.ended(err)
	}))
	return run, false, nil
}

// label lets the farm search positions.
func (r *farmRun) label(ctx context.Context, l bots.Labels) (values []int, err error) {
	for _, part := range kinds.SplitLabels(l) {
		settings := kinds.NewLabel(part)
		if err := r.add(ctx, kinds.LabelName, settings, part.Positions, part.Weights); err != nil {
			return nil, err
		}
		results := r.follow(len(r.jobs)-1, 0)
		for unit := 0; ; unit++ {
			payload, err := results.Next(ctx)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, r.ended(err)
			}
			list, err := settings.Values(unit, []byte(payload))
			if err != nil {
				return nil, fmt.Errorf("labels, unit %d: %w", unit, err)
			}
			values = append(values, list...)
		}
	}
	return values, nil
}
