package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintet/endgame"
	"quintet/game"
	"quintet/games/othello"
)

// solveReport is what a program is told of a solved position.
type solveReport struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Value    int      `json:"value"`
	Best     string   `json:"best"`
	PV       []string `json:"pv"`
	Nodes    uint64   `json:"nodes"`
	Seconds  float64  `json:"seconds"`
}

func newSolve() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "solve othello",
		Short: "Find the exact value of an Othello ending, with the line that proves it",
		Long: `Solve prints by how many discs the side to move wins (or loses, if negative) when
both sides play as well as can be, and a line that ends so. Cells that are left
empty go to the winner, as in tournaments and in the FFO sets. It takes Othello
positions on boards of up to 8 by 8 cells, with or without pits: seconds with 20
empty cells, minutes with 26.

A position is the text that "quintet perft --json" prints, or 64 characters of X, O
and - from a1 to h8 and the side to move, as in the FFO sets.`,
		Example: `  quintet solve othello --size 4
  quintet solve othello --position "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"`,
		Args:              oneGame,
		ValidArgsFunction: completeGame,
	}
	s := addStart(c)
	s.addPosition()
	addJSON(c, &asJSON)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		small, ok := p.(*othello.Small)
		if !ok {
			return fmt.Errorf("%s: want a position of othello on a board of up to 8 by 8", p)
		}
		ctx, stop := interruptible(c)
		defer stop()
		r, err := endgame.NewSolver(256).Solve(ctx, small)
		if err != nil {
			return failed(err)
		}
		report := solveReport{g.Name, p.String(), r.Value, "", formatLine(p, r.Line), r.Nodes, r.Time.Seconds()}
		if len(report.PV) > 0 {
			report.Best = report.PV[0]
		}
		if asJSON {
			return writeJSON(c.OutOrStdout(), report)
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%+d  %s\n%d nodes in %.3f s\n", r.Value, strings.Join(report.PV, " "), r.Nodes, report.Seconds)
		return failed(err)
	}
	return c
}

// fromSquares turns 64 squares and a side into the text of a position; other
// text stays as it is.
func fromSquares(text string) string {
	fields := strings.Fields(text)
	if len(fields) != 2 || len(fields[0]) != 64 || strings.Trim(fields[0], "XO-.") != "" {
		return text
	}
	rows := game.FormatRows(8, 8, func(c game.Cell) byte {
		if square := fields[0][c]; square != '-' {
			return square
		}
		return game.Blank
	})
	return rows + " " + fields[1]
}
