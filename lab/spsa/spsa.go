// Package spsa tunes the constants of a game's search by games against itself, by simultaneous
// perturbation stochastic approximation (Spall 1992; its use for engines: Kiiski's tuning of
// Stockfish, 2011, and fishtest).
package spsa

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"quintet/games"
)

// Command returns the command.
func Command() *cobra.Command {
	var t tuner
	t.play = t.playGames
	c := &cobra.Command{
		Use:   "spsa GAME",
		Short: "Tune the constants of a game's search",
		Long: `In each iteration every constant moves up or down at random, by its step. One player has these
values, the other those of the opposite directions. They play pairs of games with colours swapped,
and the values move toward those of the winner. Steps and moves become smaller, as Spall
recommends ("Multivariate stochastic approximation", 1992).

Iterations run in batches whose games start from the same values, so that the result depends on
the flags alone. The state is on disk after each batch: the same command continues. Without
--state it is in memory only. Standard output gets a player with the values at the end, for a
match from other openings.`,
		Example: `  lab spsa --iterations 1500 --nodes 5000 --seed 1 --state neighbors.json neighbors
  quintet arena neighbors --a 'new=engine[Aspiration=7,...]' --b engine --nodes 10000 --seed 9 --games 500`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := t.prepare(args[0]); err != nil {
				return err
			}
			return t.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.IntVar(&t.iterations, "iterations", 1_500, "iterations")
	f.IntVar(&t.pairs, "pairs", 2, "pairs of games in an iteration")
	f.Uint64Var(&t.nodes, "nodes", 5_000, "positions for each move")
	f.IntVar(&t.plies, "plies", 6, "random plies before each pair")
	f.Uint64Var(&t.seed, "seed", 1, "seed of openings and directions")
	f.IntVar(&t.concurrency, "concurrency", 2, "iterations at a time; the result does not depend on it")
	f.StringVar(&t.file, "state", "", "file of the state, to continue from")
	return c
}

// prepare checks the flags, and takes the game of a name.
func (t *tuner) prepare(name string) (err error) {
	if t.iterations < 1 || t.pairs < 1 || t.nodes < 1 || t.plies < 0 || t.concurrency < 1 {
		return fmt.Errorf("--iterations %d, --pairs %d, --nodes %d, --plies %d, --concurrency %d: expected 1 or more, and 0 or more plies",
			t.iterations, t.pairs, t.nodes, t.plies, t.concurrency)
	}
	if t.game, err = games.ByName(name); err != nil {
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
