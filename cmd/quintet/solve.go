package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintet/endgame"
	"quintet/game"
	"quintet/games/connect6"
	"quintet/games/othello"
	"quintet/midgame"
	"quintet/pattern"
	"quintet/sixes"
)

// solveReport is what a program is told of a solved position.
type solveReport struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Proved   bool     `json:"proved"` // whether the value is certain; else it is 0
	Value    int      `json:"value"`  // discs in Othello, 1 for a win and -1 for a loss in Connect6
	Best     string   `json:"best"`
	PV       []string `json:"pv"`
	Nodes    uint64   `json:"nodes"`
	Seconds  float64  `json:"seconds"`
}

// proveNodes is how many positions a solver of forced wins visits where no number
// is asked for: about half a minute.
const proveNodes = 5_000_000

func newSolve() *cobra.Command {
	var asJSON bool
	var nodes uint64
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Find the exact value of an Othello ending, or a forced win of Connect6",
		Long: `Solve proves what a position is worth, and prints a line that shows it.

In Othello the value is by how many discs the side to move wins (or loses, if
negative) when both sides play as well as can be. Cells that are left empty go to
the winner, as in tournaments and in the FFO sets. It takes boards of up to 8 by 8
cells, with or without pits: seconds with 20 empty cells, minutes with 26.

In Connect6 it looks for a win of the side to move by threats that each take both
stones to answer: value 1, against every defence. Value -1 is a loss in the next
turn. A value of 0 that is not proved means that no such win was found within the
number of positions; a slower win may exist.

A position is the text that "quintet perft --json" prints, or 64 characters of X, O
and - from a1 to h8 and the side to move, as in the FFO sets.`,
		Example: `  quintet solve othello --size 4
  quintet solve othello --position "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
  quintet solve connect6 --moves "J9 A0 A18 K9 K10 S0 S18"`,
		Args:              oneGame,
		ValidArgsFunction: completeGame,
	}
	s := addStart(c)
	s.addPosition()
	c.Flags().Uint64Var(&nodes, "nodes", proveNodes, "positions to visit at most, in Connect6")
	addJSON(c, &asJSON)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		ctx, stop := interruptible(c)
		defer stop()
		report, err := solve(ctx, p, nodes)
		if err != nil {
			return err
		}
		report.Game, report.Position = g.Name, p.String()
		if len(report.PV) > 0 {
			report.Best = report.PV[0]
		}
		if asJSON {
			return writeJSON(c.OutOrStdout(), report)
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s  %s\n%d nodes in %.3f s\n", report.value(), strings.Join(report.PV, " "), report.Nodes, report.Seconds)
		return failed(err)
	}
	return c
}

// solve solves a position by the solver of its game.
func solve(ctx context.Context, p game.Position, nodes uint64) (solveReport, error) {
	switch p := p.(type) {
	case *othello.Small:
		r, err := solveOthello(ctx, p)
		return solveReport{
			Proved: true, Value: r.Value, PV: formatLine(p, r.Line), Nodes: r.Nodes, Seconds: r.Time.Seconds(),
		}, failed(err)
	case *connect6.Position:
		r, err := sixes.New(256).Prove(ctx, p, nodes)
		return solveReport{
			Proved: r.Proved, Value: r.Value, PV: formatLine(p, r.Line), Nodes: r.Nodes, Seconds: r.Time.Seconds(),
		}, failed(err)
	}
	return solveReport{}, fmt.Errorf("%s: want a position of connect6, or of othello on a board of up to 8 by 8", p)
}

func solveOthello(ctx context.Context, p *othello.Small) (endgame.Result, error) {
	w, err := pattern.Trained()
	if err != nil {
		return endgame.Result{}, failed(err)
	}
	r, err := midgame.New(w, 256, 1).Solve(ctx, p)
	return r, failed(err)
}

// value returns the value for people.
func (r solveReport) value() string {
	if !r.Proved {
		return "not proved"
	}
	return fmt.Sprintf("%+d", r.Value)
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
