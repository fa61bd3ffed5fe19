package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/internal/cli"
)

// benchReport is the JSON report of a run.
type benchReport struct {
	Games   []bots.BenchResult `json:"games"`
	Nodes   uint64             `json:"nodes"`
	Seconds float64            `json:"seconds"`
}

// Limits of bench --threads.
const (
	maxBenchThreads = 256
	maxDeeper       = 40 // plies
	maxPositions    = 10_000
)

func newBench() *cobra.Command {
	var asJSON bool
	var threads, plies, positions int
	c := &cobra.Command{
		Use:   "bench [GAME]",
		Short: "Count the nodes of fixed searches: the fingerprint of the engine",
		Long: `Bench searches fixed positions of every game, or of one, to fixed depths on one
thread. It prints nodes, seconds and nodes per second for each game, then the total.

The node count is the fingerprint of the search: it changes only when the search, an
evaluation or a rule changes.

With --threads, Bench searches --positions of random games deeper, alternately on one thread and on
several, and prints how many times as fast several are: measured, and as computed from
the nodes, which is what an idle machine with as many processors could reach.`,
		Example: `  quintet bench
  quintet bench chess --threads 2 --deeper 6 --positions 100
  quintet bench othello --json`,
		Args:              cli.AtMostOneGame,
		ValidArgsFunction: cli.CompleteGame,
		RunE: func(c *cobra.Command, args []string) error {
			all, err := gamesOf(args)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(c)
			defer stop()
			if threads > 1 {
				return runScaling(ctx, c.OutOrStdout(), all, threads, plies, positions, asJSON)
			}
			return runBench(ctx, c.OutOrStdout(), all, asJSON)
		},
	}
	cli.Number(c, &threads, "threads", 1, "compare this many `threads` with one").Between(1, maxBenchThreads)
	cli.Number(c, &plies, "deeper", 4, "with --threads: search `plies` deeper than the fingerprint does").Between(0, maxDeeper)
	cli.Number(c, &positions, "positions", 20, "with --threads: search this many `positions` of random games").Between(1, maxPositions)
	addJSON(c, &asJSON)
	return c
}

func runBench(ctx context.Context, out io.Writer, all []game.Game, asJSON bool) error {
	var r benchReport
	var err error
	measure := func(g game.Game) (bots.BenchResult, error) { return bots.Bench(ctx, g) }
	r.Games, err = eachGame(out, all, asJSON, measure, func(b bots.BenchResult) string {
		return fmt.Sprintf("%-10s %9d nodes %7.3f s %9.0f nodes/s\n", b.Game, b.Nodes, b.Seconds, b.NodesPerSecond)
	})
	if err != nil {
		return err
	}
	for _, b := range r.Games {
		r.Nodes += b.Nodes
		r.Seconds += b.Seconds
	}
	return writeResult(out, asJSON, r, fmt.Sprintf("%-10s %9d nodes %7.3f s\n", "total", r.Nodes, r.Seconds))
}

// eachGame measures games, and prints a line about each at once unless JSON follows.
func eachGame[T any](out io.Writer, all []game.Game, asJSON bool, measure func(game.Game) (T, error), line func(T) string) (list []T, err error) {
	for _, g := range all {
		v, err := measure(g)
		if err == nil && !asJSON {
			_, err = io.WriteString(out, line(v))
		}
		if err != nil {
			return nil, failed(err)
		}
		list = append(list, v)
	}
	return list, nil
}

// gamesOf returns the game that is named, or all.
func gamesOf(args []string) ([]game.Game, error) {
	if len(args) == 0 {
		return games.All(), nil
	}
	g, err := games.ByName(args[0])
	return []game.Game{g}, err
}

// runScaling prints the speed-up by threads.
func runScaling(ctx context.Context, out io.Writer, all []game.Game, threads, plies, positions int, asJSON bool) error {
	measure := func(g game.Game) (speedup, error) { return measureScaling(ctx, g, threads, plies, positions) }
	list, err := eachGame(out, all, asJSON, measure, func(s speedup) string {
		return fmt.Sprintf("%-10s %d threads, depth %d: %.2f times as fast, %.2f by nodes\n", s.Game, s.Threads, s.Depth, s.Time, s.Bound)
	})
	if err != nil {
		return err
	}
	return writeResult(out, asJSON, list, "")
}
