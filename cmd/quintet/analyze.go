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
	"quintet/bots/othello/book"
	"quintet/engine"
	"quintet/game"
	"quintet/internal/cli"
)

// analyzeFlags are the flags of the command, except those of the position.
type analyzeFlags struct {
	movetime              time.Duration
	nodes                 uint64
	depth, lines, threads int
	values, json, review  bool
	book                  string
	moves                 []book.Move // of the book
	farm                  farmFlags
}

func newAnalyze() *cobra.Command {
	var f analyzeFlags
	c := &cobra.Command{
		Use:   "analyze GAME | --review RECORD...",
		Short: "Show the best lines of a position, or review games",
		Long: `Analyze searches a position and prints the best lines: score, depth, nodes, moves.
Scores are for the side to move: 100 is about a pawn in chess, and "win in 3" is
proved. With --values every legal move gets a line of its own.

With --review it reviews the game of --moves instead, or the games of records in any
format that convert reads, and says what each move gave away: ?! marks a loss of 5
percent of the expected result or more, ? of 10, and ?? of 20. RECORD is a file or a
folder of files; --farm shares the games among the workers of a farm.

With --book it also prints the moves of an opening book of Othello: score, depth, best line.

Limits apply to each line; the default is one second. An interrupt ends the search and
prints what it has found so far.`,
		Example: `  quintet analyze othello --moves "e3 d3" --lines 3
  quintet analyze chess --position "4k3/8/8/3q4/4P3/8/8/4K3 w" --depth 6
  quintet analyze neighbors --moves "d0f2 d7c5" --review --movetime 200ms
  quintet analyze --review game.sgf --movetime 200ms
  quintet analyze --review games/ --nodes 20000 --farm nats://farm:7420
  quintet analyze loa --nodes 20000 --values --json`,
		ValidArgsFunction: cli.CompleteGame,
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if f.review && len(args) > 0 && !cli.IsGame(args[0]) {
			return nil // records
		}
		return cli.OneGame(c, args)
	}
	s := addStart(c)
	s.addPosition()
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error { return f.run(c, s, args) }
	return c
}

// run analyzes a position, or reviews a game or the games of records.
func (f *analyzeFlags) run(c *cobra.Command, s *start, args []string) error {
	if !cli.IsGame(args[0]) {
		return f.reviewRecords(c, s, args)
	}
	if f.farm.wanted() {
		return errors.New("--farm: name records with --review")
	}
	if err := f.farm.check(); err != nil {
		return err
	}
	g, p, err := s.find(args[0])
	if err != nil {
		return err
	}
	search, err := bots.Searcher(g, bots.Options{Megabytes: 64, Threads: f.threads})
	if err != nil {
		return err
	}
	if f.moves, err = f.bookMoves(g, p); err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	if f.review {
		start, err := s.begin(g)
		if err != nil {
			return err
		}
		moves, err := playAll(start.Clone(), s.moves)
		if err != nil {
			return err
		}
		return runReview(ctx, c.OutOrStdout(), search, g, start, moves, f.limit(), f.json)
	}
	return f.analyze(ctx, c.OutOrStdout(), search, g, p, f.limit())
}

// bookMoves returns the moves of the book of the flags, if any.
func (f *analyzeFlags) bookMoves(g game.Game, p game.Position) ([]book.Move, error) {
	switch {
	case f.book == "":
		return nil, nil
	case f.review:
		return nil, errors.New("--book: cannot be combined with --review")
	}
	b, err := findBook(g, f.book)
	if err != nil {
		return nil, err
	}
	return b.Moves(p), nil
}

// analyze prints the best lines of a position.
func (f *analyzeFlags) analyze(ctx context.Context, out io.Writer, s engine.Searcher, g game.Game, p game.Position, l engine.Limit) error {
	wanted := f.lines
	if f.values {
		wanted = len(p.Moves(nil))
	}
	lines := engine.Lines(ctx, s, engine.Position{Position: p, Repeat: g.Repeat}, l, wanted)
	r, text := f.report(g, p, lines), ""
	for _, m := range f.moves {
		r.Book = append(r.Book, bookLine{m.Score, m.Depth, game.FormatMoves(p, m.Line)})
		text += "book: " + bookText(p, m) + "\n"
	}
	return writeResult(out, f.json, r, text+linesText(p, lines))
}

func (f *analyzeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	cli.Milliseconds(c, &f.movetime, "movetime", 0, "time for each line, such as 500ms")
	cli.Number(c, &f.nodes, "nodes", 0, "positions to visit for each line")
	cli.Number(c, &f.depth, "depth", 0, "plies to look ahead")
	cli.Number(c, &f.lines, "lines", 1, "how many best lines to print, each with a different first move").AtLeast(1)
	cli.Number(c, &f.threads, "threads", 1, "search threads").AtLeast(1)
	flags.BoolVar(&f.values, "values", false, "print a line for every legal move")
	flags.BoolVar(&f.review, "review", false, "say what each of the --moves, or of the moves of a record, gave away")
	addBook(flags, &f.book)
	f.farm.add(c)
	addJSON(c, &f.json)
}

// limit returns the limits of a line, a second by default.
func (f *analyzeFlags) limit() engine.Limit {
	return limitOr(f.movetime, f.nodes, f.depth, time.Second)
}

// analyzeReport is the JSON report of an analysis. A finished game has
// no best move and no lines.
type analyzeReport struct {
	Game     string        `json:"game"`
	Position string        `json:"position"`
	Result   string        `json:"result"`
	Best     string        `json:"best"`
	Score    int           `json:"score"`
	Depth    int           `json:"depth"`
	Nodes    uint64        `json:"nodes"` // of all lines
	PV       []string      `json:"pv"`
	Lines    []analyzeLine `json:"lines"`
	Moves    []moveValue   `json:"moves,omitempty"` // with --values, best first
	Book     []bookLine    `json:"book,omitempty"`  // with --book, best first
}

// bookLine is a move of the opening book and the best line behind it. Its depth is the
// plies from the position to the end of the search that gave it its score.
type bookLine struct {
	Score int      `json:"score"`
	Depth int      `json:"depth"`
	PV    []string `json:"pv"`
}

type analyzeLine struct {
	Score int      `json:"score"`
	Depth int      `json:"depth"`
	Nodes uint64   `json:"nodes"`
	PV    []string `json:"pv"`
}

type moveValue struct {
	Move  string `json:"move"`
	Value int    `json:"value"`
}

func (f *analyzeFlags) report(g game.Game, p game.Position, lines []engine.Line) analyzeReport {
	r := analyzeReport{Game: g.Name, Position: p.String(), Result: p.Result().String(), PV: []string{}, Lines: []analyzeLine{}}
	for i, line := range lines {
		pv := game.FormatMoves(p, line.Moves)
		r.Nodes += line.Nodes
		r.Lines = append(r.Lines, analyzeLine{line.Score, line.Depth, line.Nodes, pv})
		if i == 0 {
			r.Best, r.Score, r.Depth, r.PV = pv[0], line.Score, line.Depth, pv
		}
		if f.values {
			r.Moves = append(r.Moves, moveValue{pv[0], line.Score})
		}
	}
	return r
}

// linesText describes the best lines of a position.
func linesText(p game.Position, lines []engine.Line) (text string) {
	if len(lines) == 0 {
		return fmt.Sprintf("the game is over: %s\n", p.Result())
	}
	for i, line := range lines {
		text += fmt.Sprintf("%2d  %s  depth %d, %d nodes, %.0f/s  %s\n", i+1, scoreText(line.Score), line.Depth, line.Nodes,
			line.NodesPerSecond(), strings.Join(game.FormatMoves(p, line.Moves), " "))
	}
	return text
}

// scoreText describes a score; a proved one as plies to the end.
func scoreText(s int) string {
	switch {
	case s > engine.MaxEval:
		return fmt.Sprintf("win in %d", engine.Won-s)
	case s < -engine.MaxEval:
		return fmt.Sprintf("loss in %d", engine.Won+s)
	}
	return fmt.Sprintf("%+d", s)
}
