package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quintet/bots"
)

// newTrainGather makes the command that trains one of the games in which pieces
// are gathered.
func newTrainGather(name, title string, train func(context.Context, bots.Training, io.Writer) error) *cobra.Command {
	o := bots.Training{}
	c := &cobra.Command{
		Use:   name,
		Short: "Make the weights of the evaluation of " + title,
		Long: "Train " + name + ` lets the engine play itself and fits the weights of its evaluation to
what happened, beginning with weights set by hand, in turns: what one has learnt plays
the next. It prints the Go file that holds the weights. The same flags and the same
search give the same file.`,
		Example: "  quintet train " + name + " --games 1000 --nodes 600 --turns 2 --seed 1 > bots/" + name + "_weights.go",
		Args:    cobra.NoArgs,
	}
	flags := c.Flags()
	flags.IntVar(&o.Games, "games", 1000, "games of self-play in each turn")
	flags.Uint64Var(&o.Nodes, "nodes", 600, "positions for each move")
	flags.IntVar(&o.Turns, "turns", 2, "turns of self-play and fitting")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the openings")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if o.Games < 1 || o.Turns < 1 || o.Nodes < 1 {
			return fmt.Errorf("%d games, %d turns, %d nodes: want 1 or more of each", o.Games, o.Turns, o.Nodes)
		}
		ctx, stop := interruptible(c)
		defer stop()
		o.Report = func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		return failed(train(ctx, o, c.OutOrStdout()))
	}
	return c
}
