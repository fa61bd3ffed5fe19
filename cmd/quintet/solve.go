package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/game"
	"quintet/internal/cli"
)

// solveReport is the JSON report of a solved position.
type solveReport struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Proved   bool     `json:"proved"` // whether the value is proved; if not, it is 0
	Value    int      `json:"value"`  // discs in Othello, 1 or -1 in Connect6, plies to the win or (negative) loss in the others
	Best     string   `json:"best"`
	PV       []string `json:"pv"`
	Nodes    uint64   `json:"nodes"`
	Seconds  float64  `json:"seconds"`
	Proof    string   `json:"certificate,omitempty"` // of a win in Connect6, with --certificate
	Table    bool     `json:"table,omitempty"`       // from the table of solved boards; nodes are those of the search that made it
}

// solveFlags are the flags of the command, except those of the position.
type solveFlags struct {
	movetime time.Duration
	nodes    uint64
	search   bool
	json     bool
	proof    bool
	threads  int
	progress bool
	list     string
	farm     farmFlags
}

// proveNodes is the default node limit of the Connect6 solver: about half a minute.
const proveNodes = 5_000_000

const solveLong = `Solve finds the exact value of a position and prints a line of play that reaches it.

In Othello the value is the margin in discs for the side to move under best play
(negative if it loses). Empty cells count for the winner, as in tournaments and in the
FFO test sets. Boards up to 8x8 are supported, with or without pits; 20 empty cells take
about a fifth of a second. The starts of 4x4 with up to two pits, and some of 6x6, are in a table of
solved boards.

In Connect6 it looks for a forced win by threats, of which some can be answered with one
stone: value 1. Value -1 is a loss in the next turn. --certificate prints the win against
every defence: a turn, and in braces the replies, each with the next turn after its colon.
A reply of more than two stones stands for every two of them. Where one of its stones
stops all threats, it also stands for that stone with any other that the rest of the win
does not need.

In chess, Lines of Action and Neighbors it looks for a forced win (in chess, the
capture of the king): the value is the number of plies, negative if the side to move
loses.

In Othello --threads shares the work, and the progress shows the positions visited, the
speed and the bounds that are proved of the value.

If it finds no proof within its limits, it says so; a slower win may still exist.

Positions are written as in "quintet perft --json", as 64 characters of X, O and - from
a1 to h8 with the side to move, as in the FFO sets, or as a FEN.

With --list it solves the positions of a file, one a line. --nodes limits each, in all
games but Othello, so that the results are the same on all machines; --farm shares the
list among the workers of a farm.`

func newSolve() *cobra.Command {
	var f solveFlags
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Find the exact value of a position, or a forced win",
		Long:  solveLong,
		Example: `  quintet solve othello --size 4
  quintet solve othello --position "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
  quintet solve othello --size 6 --pits a1,f6 --threads 2 --progress
  quintet solve connect6 --moves "J9 A0 A18 K9 K10 S0 S18"
  quintet solve chess --position "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
  quintet solve othello --list endings.txt --farm nats://farm:7420`,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	s.addPosition()
	cli.Number(c, &f.nodes, "nodes", proveNodes, "maximum number of positions to visit, in Connect6 and with --list")
	c.Flags().BoolVar(&f.proof, "certificate", false, "print the proof of a win, in Connect6")
	cli.Milliseconds(c, &f.movetime, "movetime", 10*time.Second, "time to look for a win, in chess, Lines of Action and Neighbors").AtLeast(time.Millisecond)
	c.Flags().BoolVar(&f.search, "search", false, "search even if the table of solved boards has the answer")
	cli.Number(c, &f.threads, "threads", 1, "search threads, in Othello").Between(1, maxSolveThreads)
	c.Flags().BoolVar(&f.progress, "progress", false, "print the progress each second, in Othello; on a terminal it is always shown")
	c.Flags().StringVar(&f.list, "list", "", "solve the positions in this `file`, one a line; - for standard input")
	f.farm.add(c)
	addJSON(c, &f.json)
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.list != "" {
			return f.solveList(c, args[0])
		}
		if err := f.checkOne(); err != nil {
			return err
		}
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		if f.proof && g.Name != "connect6" {
			return fmt.Errorf("--certificate: only connect6 has certificates, not %s", g.Name)
		}
		ctx, stop := interruptible(c)
		defer stop()
		r, err := f.solve(ctx, g, p, c.ErrOrStderr())
		if err != nil {
			return err
		}
		text := fmt.Sprintf("%s  %s\n%s\n", r.value(), strings.Join(r.PV, " "), r.effort())
		if r.Proof != "" {
			text += r.Proof + "\n"
		}
		return writeResult(c.OutOrStdout(), f.json, r, text)
	}
	return c
}

func (f solveFlags) solve(ctx context.Context, g game.Game, p game.Position, progressTo io.Writer) (solveReport, error) {
	l := bots.SolveLimit{Nodes: f.nodes, Time: f.movetime, Search: f.search, Threads: f.threads, Progress: new(bots.SolveProgress)}
	var shown *cli.Display
	if g.Name == "othello" {
		began := time.Now()
		shown = cli.NewDisplay(progressTo, f.progress, func() []string { return []string{solvingLine(l.Progress, time.Since(began))} })
	}
	found, err := bots.Solve(ctx, g, p, l)
	shown.Stop()
	var refused bots.PositionError
	switch {
	case errors.As(err, &refused):
		return solveReport{}, refused
	case err != nil:
		return solveReport{}, failed(err)
	}
	r := solveReport{
		Game: g.Name, Position: p.String(), Proved: found.Proved, Value: found.Value, PV: game.FormatMoves(p, found.Line),
		Nodes: found.Nodes, Seconds: found.Time.Seconds(), Table: found.Table,
	}
	if len(r.PV) > 0 {
		r.Best = r.PV[0]
	}
	if f.proof {
		r.Proof = found.Certificate
	}
	return r, nil
}

// solvingLine describes how far a solver is after a time.
func solvingLine(p *bots.SolveProgress, passed time.Duration) string {
	low, high := p.Bounds()
	nodes := float64(p.Nodes()) / 1e6
	return fmt.Sprintf("%.0f s: %.1f M positions, %.1f M/s, value %+d to %+d", passed.Seconds(), nodes, nodes/max(passed.Seconds(), 1e-3), low, high)
}

// value describes the value.
func (r solveReport) value() string {
	if !r.Proved {
		return "not proved"
	}
	return fmt.Sprintf("%+d", r.Value)
}

// effort describes what the value took.
func (r solveReport) effort() string {
	if r.Table {
		return fmt.Sprintf("from the table of solved boards, made with %d nodes", r.Nodes)
	}
	return fmt.Sprintf("%d nodes in %.3f s", r.Nodes, r.Seconds)
}
