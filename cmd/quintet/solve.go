package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

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

// solveFlags are the flags of the command but those of the position.
type solveFlags struct {
	movetime time.Duration
	json     bool
}

// solvers lists how positions of a game are solved.
func solvers() map[string]func(context.Context, solveFlags, game.Game, game.Position) (solveReport, error) {
	return map[string]func(context.Context, solveFlags, game.Game, game.Position) (solveReport, error){
		"othello": solveOthello,
		"chess":   solveChess,
	}
}

func newSolve() *cobra.Command {
	var f solveFlags
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Find the exact value of an Othello ending, or a forced capture of the king in chess",
		Long: `Solve othello prints by how many discs the side to move wins (or loses, if negative) when
both sides play as well as can be, and a line that ends so. Cells that are left
empty go to the winner, as in tournaments and in the FFO sets. It takes Othello
positions on boards of up to 8 by 8 cells, with or without pits: seconds with 20
empty cells, minutes with 26.

Solve chess prints after how many plies the side to move captures the king whatever
the opponent does, or loses its own (if negative), and how; it prints 0 if nothing was
proved in the time that it may take.

A position is the text that "quintet perft --json" prints, or 64 characters of X, O
and - from a1 to h8 and the side to move, as in the FFO sets, or a FEN.`,
		Example: `  quintet solve othello --size 4
  quintet solve othello --position "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
  quintet solve chess --position "7k/8/6K1/8/8/8/8/R7 w - - 0 1"`,
		Args:              oneGame,
		ValidArgsFunction: completeGame,
	}
	s := addStart(c)
	s.addPosition()
	c.Flags().DurationVar(&f.movetime, "movetime", 10*time.Second, "time to look for a forced capture of the king")
	addJSON(c, &f.json)
	c.RunE = func(c *cobra.Command, args []string) error {
		s.position = fromSquares(s.position)
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		solve, ok := solvers()[g.Name]
		if !ok {
			return fmt.Errorf("%s: no solver is known, want %s", g.Name, game.Alternatives(slices.Sorted(maps.Keys(solvers()))))
		}
		ctx, stop := interruptible(c)
		defer stop()
		r, err := solve(ctx, f, g, p)
		if err != nil {
			return err
		}
		if f.json {
			return writeJSON(c.OutOrStdout(), r)
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%+d  %s\n%d nodes in %.3f s\n", r.Value, strings.Join(r.PV, " "), r.Nodes, r.Seconds)
		return failed(err)
	}
	return c
}

func newSolveReport(g game.Game, p game.Position, value int, line []game.Move, nodes uint64, took time.Duration) solveReport {
	r := solveReport{g.Name, p.String(), value, "", formatLine(p, line), nodes, took.Seconds()}
	if len(r.PV) > 0 {
		r.Best = r.PV[0]
	}
	return r
}

func solveOthello(ctx context.Context, _ solveFlags, g game.Game, p game.Position) (solveReport, error) {
	small, ok := p.(*othello.Small)
	if !ok {
		return solveReport{}, fmt.Errorf("%s: want a position of othello on a board of up to 8 by 8", p)
	}
	r, err := endgame.NewSolver(256).Solve(ctx, small)
	if err != nil {
		return solveReport{}, failed(err)
	}
	return newSolveReport(g, p, r.Value, r.Line, r.Nodes, r.Time), nil
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
