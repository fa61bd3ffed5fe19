package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/games"
)

// benchReport is the JSON report of a run.
type benchReport struct {
	Games   []bots.BenchResult `json:"games"`
	Nodes   uint64             `json:"nodes"`
	Seconds float64            `json:"seconds"`
}

func newBench() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "bench [GAME]",
		Short: "Count the nodes of fixed searches: the fingerprint of the engine",
		Long: `Bench searches fixed positions of every game, or of one, to fixed depths on one
thread. It prints nodes, seconds and nodes per second for each game, then the total.

The node count is the fingerprint of the search: it changes only when the search, an
evaluation or a rule changes.`,
		Example: `  quintet bench
  quintet bench othello --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeGame,
		RunE: func(c *cobra.Command, args []string) error {
			return runBench(c, args, asJSON)
		},
	}
	addJSON(c, &asJSON)
	return c
}

func runBench(c *cobra.Command, args []string, asJSON bool) error {
	all := games.All()
	if len(args) == 1 {
		g, err := games.ByName(args[0])
		if err != nil {
			return err
		}
		all = append(all[:0], g)
	}
	ctx, stop := interruptible(c)
	defer stop()
	var r benchReport
	for _, g := range all {
		b, err := bots.Bench(ctx, g)
		if err != nil {
			return failed(err)
		}
		r.Games = append(r.Games, b)
		r.Nodes += b.Nodes
		r.Seconds += b.Seconds
		if asJSON {
			continue
		}
		if _, err := fmt.Fprintf(c.OutOrStdout(), "%-10s %9d nodes %7.3f s %9.0f nodes/s\n", b.Game, b.Nodes, b.Seconds, b.NodesPerSecond); err != nil {
			return failed(err)
		}
	}
	if asJSON {
		return writeJSON(c.OutOrStdout(), r)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%-10s %9d nodes %7.3f s\n", "total", r.Nodes, r.Seconds)
	return failed(err)
}
