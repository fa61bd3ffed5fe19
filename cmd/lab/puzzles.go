package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
	"quintet/lab/puzzles"
	"quintet/learn/puzzle"
)

// puzzlesFlags are the flags of the command.
type puzzlesFlags struct {
	seed    uint64
	count   int
	easy    bool
	out     string
	rebuild bool
}

const puzzlesLong = `Puzzles plays games of a weak level against a strong one and looks in them for
positions in which exactly one turn wins, at every turn of the side that solves. It
proves that, and prints a puzzle a line, as JSON, without a difficulty. docs/puzzles.md says what is proved in each game, and what the fields mean.

The same seed makes the same puzzles, as long as the engines that play the games are
the same. With --out, puzzles are appended to a file: an interrupted run continues
after the last puzzle in the file. --easy looks for puzzles for beginners.

--rebuild prints the puzzles that come with Quintet, or those of --out, with solutions and themes made
again from their positions, and with difficulties: tenths of the list, by the positions that
the engine visits until it has found the solution. A position that is no longer a puzzle is
left out and named on stderr.`

func newPuzzles() *cobra.Command {
	var f puzzlesFlags
	c := &cobra.Command{
		Use:   "puzzles GAME",
		Short: "Make puzzles with exactly one winning turn",
		Long:  puzzlesLong,
		Example: `  lab puzzles othello --seed 1 --count 5
  lab puzzles loa --seed 1 --count 300 --out loa.jsonl
  lab puzzles othello --easy --seed 2 --count 60 --out easy.jsonl
  lab puzzles chess --rebuild | gzip -9n > chess.jsonl.gz`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the games that the puzzles are from")
	c.Flags().IntVar(&f.count, "count", 10, "how many puzzles to make (with --out, to have), 1 or more")
	c.Flags().BoolVar(&f.easy, "easy", false, "look for puzzles for beginners")
	c.Flags().StringVar(&f.out, "out", "", "append the puzzles to this `file`")
	c.Flags().BoolVar(&f.rebuild, "rebuild", false, "compute solutions, themes and difficulty of existing puzzles again, and print them")
	c.RunE = func(c *cobra.Command, args []string) error {
		g, err := games.ByName(args[0])
		if err != nil {
			return err
		}
		if f.count < 1 {
			return fmt.Errorf(`count "%d": expected 1 or more`, f.count)
		}
		if f.rebuild {
			return f.rebuildAll(c.Context(), g, c.OutOrStdout(), c.ErrOrStderr())
		}
		return f.make(c.Context(), c, g)
	}
	return c
}

// make makes puzzles until there are enough or the context ends.
func (f *puzzlesFlags) make(ctx context.Context, c *cobra.Command, g game.Game) error {
	had, err := f.open()
	if err != nil {
		return err
	}
	first, list := 0, puzzleList{}
	for _, p := range had {
		if p.Game != g.Name || p.Seed != f.seed {
			return fmt.Errorf("out %q: puzzles of %s with seed %d, expected those of %s with seed %d", f.out, p.Game, p.Seed, g.Name, f.seed)
		}
		first = p.Source + 1
		list.add(&p)
	}
	if len(list) >= f.count {
		return nil
	}
	m, err := puzzles.NewMaker(g, f.seed)
	if err != nil {
		return err
	}
	if f.easy {
		m.Easy()
	}
	return f.write(ctx, c.OutOrStdout(), m, first, list)
}

// puzzleList has the identifiers of the puzzles that were made.
type puzzleList map[string]bool

// add reports whether the puzzle is a new one.
func (l puzzleList) add(p *puzzle.Puzzle) bool {
	if l[p.ID] {
		return false
	}
	l[p.ID] = true
	return true
}

// write writes puzzles from the first game on until there are enough.
func (f *puzzlesFlags) write(ctx context.Context, out io.Writer, m *puzzles.Maker, first int, list puzzleList) error {
	if f.out != "" {
		file, err := os.OpenFile(f.out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		out = file
	}
	for number := first; len(list) < f.count; number++ {
		p, ok, err := m.Make(ctx, number)
		switch {
		case errors.Is(err, context.Canceled):
			return nil // what is made is kept
		case err != nil:
			return err
		case !ok || !list.add(&p):
			continue
		}
		if err := json.NewEncoder(out).Encode(&p); err != nil { // in one call, so that an interrupt leaves whole lines
			return err
		}
	}
	return nil
}

// open reads the puzzles of --out; none if there is no such file.
func (f *puzzlesFlags) open() ([]puzzle.Puzzle, error) {
	if f.out == "" {
		return nil, nil
	}
	text, err := os.ReadFile(f.out)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("out: %w", err)
	}
	list, err := puzzle.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("out %q: %w", f.out, err)
	}
	return list, nil
}

// existing returns the puzzles of --out, or else those that come with Quintet.
func (f *puzzlesFlags) existing(g game.Game) ([]puzzle.Puzzle, error) {
	if f.out != "" {
		return f.open()
	}
	return puzzle.Embedded(g.Name)
}

// rebuildAll makes puzzles again from their positions.
func (f *puzzlesFlags) rebuildAll(ctx context.Context, g game.Game, out, dropped io.Writer) error {
	list, err := f.existing(g)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b puzzle.Puzzle) int { return cmp.Compare(a.Source, b.Source) }) // as --out has them
	m, err := puzzles.NewMaker(g, f.seed)
	if err != nil {
		return err
	}
	var made []puzzle.Puzzle
	for i := range list {
		p, ok, err := m.Rebuild(ctx, &list[i])
		switch {
		case err != nil:
			return err
		case ok:
			made = append(made, p)
			continue
		}
		if _, err := fmt.Fprintf(dropped, "puzzle %s: its position is no longer a puzzle\n", list[i].ID); err != nil {
			return err
		}
	}
	if err := m.Grade(ctx, made); err != nil {
		return err
	}
	for i := range made {
		if err := json.NewEncoder(out).Encode(&made[i]); err != nil {
			return err
		}
	}
	return nil
}
