package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"

	"quintet/games"
	"quintet/internal/cli"
	"quintet/judge/console"
)

func newConsole() *cobra.Command {
	var size string
	var seed uint64
	var rounds int
	c := &cobra.Command{
		Use:   "console GAME",
		Short: "Run the course's console program of a game",
		Long: `Console is the course's program for a game, byte for byte: it reads answers from
standard input and prints boards and prompts to standard output.

If the input ends before the game does, the exit status is 1.`,
		Example: `  quintet console othello
  quintet console othello --size 6
  quintet console connect6 --size 9 < moves.txt
  echo 3 | quintet console chess --seed 1 --rounds 20`,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
		RunE: func(c *cobra.Command, args []string) error {
			o := console.Options{Rounds: rounds}
			if c.Flags().Changed("size") {
				n, err := consoleSize(args[0], size)
				if err != nil {
					return err
				}
				o.Size = n
			}
			if c.Flags().Changed("seed") {
				o.Random = rand.NewPCG(seed, 0)
			}
			err := console.Run(c.Context(), args[0], o, c.InOrStdin(), c.OutOrStdout())
			var usage *console.UsageError
			if err != nil && !errors.As(err, &usage) {
				return failure{err}
			}
			return err
		},
	}
	c.Flags().StringVar(&size, "size", "", "`N` rows and columns: even, 4 to 26 (othello, default 8); 1 to 26 (connect6, default 19)")
	cli.Number(c, &seed, "seed", 0, "seed of the machine's moves in chess: the same seed repeats the game (default random)")
	cli.Number(c, &rounds, "rounds", 0, "halt a chess game between two machines after this many rounds (0 for no limit)")
	return c
}

// consoleSize parses the board size of a game.
func consoleSize(name, text string) (int, error) {
	g, err := games.ByName(name)
	if err != nil {
		return 0, err
	}
	o, ok := g.Option("size")
	if !ok {
		return 0, fmt.Errorf("%s has one board size: omit --size", name)
	}
	if err := o.Check(text); err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}
