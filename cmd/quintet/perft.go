package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/game/perft"
	"quintet/internal/cli"
)

// perftFlags are the flags of the command, except those of the position.
type perftFlags struct {
	depth, threads int
	divide, json   bool
}

func newPerft() *cobra.Command {
	var f perftFlags
	c := &cobra.Command{
		Use:   "perft GAME --depth N",
		Short: "Count the leaves of a game tree",
		Long: `Perft counts the leaves of the game tree at each depth from 1 to N. For each depth
it prints depth, leaves, seconds and leaves per second. A pass is a ply, and a finished
game is one leaf at every depth.

Moves are written d3 or pass (othello), d0f2 or pass (neighbors, loa), J9
(connect6, one stone each), e2e4 or pass (chess). Positions are written as --json
prints them ("position").`,
		Example: `  quintet perft othello --depth 9
  quintet perft othello --depth 8 --size 6 --pits a1,b2 --moves "d2 c2"
  quintet perft chess --depth 4 --divide
  quintet perft loa --depth 6 --threads 2
  quintet perft othello --depth 5 --position "4/1XO1/1OX1/4 X"`,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	s.addPosition()
	cli.Number(c, &f.depth, "depth", 0, "plies to look ahead, 1 or more; required").AtLeast(1)
	cli.Number(c, &f.threads, "threads", 1, "threads that count in parallel").AtLeast(1)
	c.Flags().BoolVar(&f.divide, "divide", false, "print the leaves after each move, at depth N only")
	addJSON(c, &f.json)
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.depth == 0 {
			return errors.New("give the plies to look ahead with --depth, 1 or more")
		}
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		ctx, stop := interruptible(c)
		defer stop()
		return f.run(ctx, c.OutOrStdout(), g, p)
	}
	return c
}

// perftReport is the JSON report of a run.
type perftReport struct {
	Game     string        `json:"game"`
	Position string        `json:"position"`
	Depths   []perftDepth  `json:"depths,omitempty"`
	Divide   []perftBranch `json:"divide,omitempty"`
}

type perftDepth struct {
	Depth     int     `json:"depth"`
	Leaves    uint64  `json:"leaves"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"leaves_per_second"`
}

type perftBranch struct {
	Move   string `json:"move"`
	Leaves uint64 `json:"leaves"`
}

func (f perftFlags) run(ctx context.Context, out io.Writer, g game.Game, p game.Position) error {
	r := perftReport{Game: g.Name, Position: p.String()}
	lines, first := out, 1
	if f.json {
		lines = io.Discard
	}
	if f.divide {
		first = f.depth
	}
	for depth := first; depth <= f.depth; depth++ {
		if err := f.count(ctx, lines, p, depth, &r); err != nil {
			return failed(err)
		}
	}
	if f.json {
		return writeJSON(out, r)
	}
	return nil
}

// count counts to a depth and prints the leaves at once, with --divide those after each move
// before their sum.
func (f perftFlags) count(ctx context.Context, out io.Writer, p game.Position, depth int, r *perftReport) (err error) {
	began := time.Now()
	d := perftDepth{Depth: depth}
	var branches []perft.Branch
	if f.divide {
		branches, err = perft.Divide(ctx, p, depth, f.threads)
	} else {
		d.Leaves, err = perft.Count(ctx, p, depth, f.threads)
	}
	if err != nil {
		return err
	}
	d.Seconds = time.Since(began).Seconds()
	for _, b := range branches {
		d.Leaves += b.Leaves
		r.Divide = append(r.Divide, perftBranch{p.Format(b.Move), b.Leaves})
		if _, err := fmt.Fprintf(out, "%s %d\n", p.Format(b.Move), b.Leaves); err != nil {
			return err
		}
	}
	if d.Seconds > 0 {
		d.PerSecond = float64(d.Leaves) / d.Seconds
	}
	r.Depths = append(r.Depths, d)
	_, err = fmt.Fprintf(out, "%d %d %.6f %.0f\n", d.Depth, d.Leaves, d.Seconds, d.PerSecond)
	return err
}
