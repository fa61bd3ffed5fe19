// Command spsa tunes the constants of a game's search by games against itself, by simultaneous
// perturbation stochastic approximation (Spall 1992; its use for engines: Kiiski's tuning of
// Stockfish, 2011, and fishtest):
//
//	go run ./lab/spsa -iterations 1500 -nodes 5000 -seed 1 -state neighbors.json neighbors
//
// In each iteration every constant moves up or down at random, by its step. One player has these
// values, the other those of the opposite directions. They play pairs of games with colours
// swapped, and the values move toward those of the winner. Steps and moves become smaller, as
// Spall recommends.
//
// Iterations run in batches whose games start from the same values, so that the result depends on
// the flags alone. The state is on disk after each batch: the same command continues. Without
// -state it is in memory only. Standard output gets a player with the values at the end, for a
// match from other openings:
//
//	quintet arena neighbors --a 'new=engine[Aspiration=7,...]' --b engine --nodes 10000 --seed 9 --games 500
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"quintet/games"
)

func main() {
	var t tuner
	t.play = t.playGames
	flag.IntVar(&t.iterations, "iterations", 1_500, "iterations")
	flag.IntVar(&t.pairs, "pairs", 2, "pairs of games in an iteration")
	flag.Uint64Var(&t.nodes, "nodes", 5_000, "positions for each move")
	flag.IntVar(&t.plies, "plies", 6, "random plies before each pair")
	flag.Uint64Var(&t.seed, "seed", 1, "seed of openings and directions")
	flag.IntVar(&t.concurrency, "concurrency", 2, "iterations at a time; the result does not depend on it")
	flag.StringVar(&t.file, "state", "", "file of the state, to continue from")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := t.prepare(flag.Args())
	if err == nil {
		err = t.run(ctx, os.Stdout, os.Stderr)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "spsa:", err)
		os.Exit(1)
	}
}

// prepare checks the flags and takes the game that the arguments name.
func (t *tuner) prepare(args []string) (err error) {
	switch {
	case len(args) != 1:
		return fmt.Errorf("expected one game, got %d arguments", len(args))
	case t.iterations < 1 || t.pairs < 1 || t.nodes < 1 || t.plies < 0 || t.concurrency < 1:
		return fmt.Errorf("-iterations %d, -pairs %d, -nodes %d, -plies %d, -concurrency %d: expected 1 or more, and 0 or more plies",
			t.iterations, t.pairs, t.nodes, t.plies, t.concurrency)
	}
	if t.game, err = games.ByName(args[0]); err != nil {
		return err //nolint:wrapcheck // it names the game and those that exist
	}
	if t.state, err = t.begin(); err != nil {
		return err
	}
	return t.load()
}

// run plays the iterations that are left and writes the values.
func (t *tuner) run(ctx context.Context, out, report io.Writer) error {
	for t.state.Done < t.iterations {
		if err := t.batch(ctx); err != nil {
			return err
		}
		if err := t.save(); err != nil {
			return err
		}
		if t.state.Done%reportEvery == 0 || t.state.Done == t.iterations {
			_, _ = fmt.Fprintf(report, "%d of %d iterations: %.1f\n", t.state.Done, t.iterations, t.state.Values)
		}
	}
	var list []string
	for i, k := range t.constants {
		list = append(list, fmt.Sprintf("%s=%.0f", k.Name, t.state.Values[i]))
	}
	if _, err := fmt.Fprintf(out, "engine[%s]\n", strings.Join(list, ",")); err != nil {
		return fmt.Errorf("writing the values: %w", err)
	}
	return nil
}
