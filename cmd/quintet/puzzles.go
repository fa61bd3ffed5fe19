package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
	"quintet/internal/cli"
	"quintet/learn/puzzle"
)

func newPuzzles() *cobra.Command {
	var file string
	var prove bool
	c := &cobra.Command{
		Use:   "puzzles GAME",
		Short: "Print puzzles, or prove them again",
		Long: `Puzzles prints the puzzles that come with Quintet, or those of --file, one a line, as JSON, the
easiest first. In each position exactly one turn wins, at every turn of the side that solves.
docs/puzzles.md says what is proved in each game, and what the fields mean.

--prove proves them again instead.`,
		Example:           "  quintet puzzles loa\n  quintet puzzles chess --prove",
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
		RunE: func(c *cobra.Command, args []string) error {
			g, err := games.ByName(args[0])
			if err != nil {
				return err
			}
			list, err := puzzlesOf(g, file)
			if err != nil {
				return err
			}
			if prove {
				return provePuzzles(c, g, list)
			}
			return failed(writePuzzles(c.OutOrStdout(), list))
		},
	}
	c.Flags().StringVar(&file, "file", "", "read the puzzles of this `file`, one a line, instead")
	c.Flags().BoolVar(&prove, "prove", false, "prove the puzzles again")
	return c
}

// puzzlesOf returns the puzzles of a file, or without a name those that come with Quintet.
func puzzlesOf(g game.Game, name string) ([]puzzle.Puzzle, error) {
	if name == "" {
		return puzzle.Embedded(g.Name)
	}
	file, err := os.Open(name) //nolint:gosec // the user names it
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	list, err := puzzle.Read(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

func writePuzzles(out io.Writer, list []puzzle.Puzzle) error {
	to := json.NewEncoder(out)
	for i := range list {
		if err := to.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// provePuzzles proves puzzles and prints how many there are.
func provePuzzles(c *cobra.Command, g game.Game, list []puzzle.Puzzle) error {
	ctx, stop := interruptible(c)
	defer stop()
	v, err := puzzle.NewVerifier(g)
	if err != nil {
		return err
	}
	for i := range list {
		if err := v.Verify(ctx, &list[i]); err != nil {
			return failed(err)
		}
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%d puzzles of %s proved\n", len(list), g.Name)
	return failed(err)
}
