package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quintet/bots"
)

// newTraining groups the commands that make weights, one for each game that has
// some.
func newTraining() *cobra.Command {
	c := &cobra.Command{
		Use:   "train GAME",
		Short: "Make the weights of an evaluation, by self-play from a seed",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return failed(c.Help()) },
	}
	c.AddCommand(newTrainOthello())
	for _, l := range []learning{
		{"chess", "chess", "chess_table.go", 3000, 1500, bots.TrainChess},
		{"loa", "Lines of Action", "loa_weights.go", 500, 500, bots.TrainLOA},
		{"neighbors", "Neighbors", "neighbors_weights.go", 500, 500, bots.TrainNeighbors},
	} {
		c.AddCommand(l.command())
	}
	return c
}

// learning is a game whose weights are fitted to games of self-play.
type learning struct {
	name, title, file string // file is where the weights belong
	games             int    // unless told otherwise
	nodes             uint64
	train             func(context.Context, bots.Training, io.Writer) error
}

func (l learning) command() *cobra.Command {
	o := bots.Training{}
	c := &cobra.Command{
		Use:   l.name,
		Short: "Make the weights of the evaluation of " + l.title,
		Long: "Train " + l.name + ` lets the engine play itself and fits the weights of its evaluation to
what happened, beginning with weights set by hand, in turns: what one has learnt plays
the next. It prints the Go file that holds the weights. The same flags and the same
search give the same file.`,
		Example: fmt.Sprintf("  quintet train %s --games %d --nodes %d --turns 2 --seed 1 > bots/%s", l.name, l.games, l.nodes, l.file),
		Args:    cobra.NoArgs,
	}
	flags := c.Flags()
	flags.IntVar(&o.Games, "games", l.games, "games of self-play in each turn")
	flags.Uint64Var(&o.Nodes, "nodes", l.nodes, "positions for each move")
	flags.IntVar(&o.Turns, "turns", 2, "turns of self-play and fitting")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the openings")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if o.Games < 1 || o.Turns < 1 || o.Nodes < 1 {
			return fmt.Errorf("%d games, %d turns, %d nodes: want 1 or more of each", o.Games, o.Turns, o.Nodes)
		}
		ctx, stop := interruptible(c)
		defer stop()
		o.Report = func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		return failed(l.train(ctx, o, c.OutOrStdout()))
	}
	return c
}
