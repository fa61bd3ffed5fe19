// Package smallboards proves the values of the starts of Othello on small boards, with every
// set of up to two pits (on 4x4 of all pits that the rules allow), and checks the tables.
package smallboards

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/bots/othello/solved"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// Command returns the command.
func Command() *cobra.Command {
	var f settings
	c := &cobra.Command{
		Use:   "smallboards",
		Short: "Solve Othello on small boards, and check the solutions",
		Long: `Smallboards solves boards and appends them to a table. Boards that are in the file are not solved
again, so a run continues the one before. Of boards of 6x6, those with the smallest trees of 11
plies come first, and those that take longer than --limit are left out.

With --prove it makes the certificate of a solved board of 6x6: the moves with which each side
gets its value. With --check it checks one by the plain rules of Othello alone, without any code
of the searches: both trees of moves, and the claims at their ends, positions with at most
--frontier empty cells, by searching all moves; only --sample of them if that is not negative.`,
		Example: `  lab smallboards --size 4 --out bots/othello/solved/boards.txt
  lab smallboards --size 4 --pits 8 --out lab/smallboards/testdata/4x4.txt
  lab smallboards --size 6 --limit 20s --time 8m --out bots/othello/solved/boards.txt
  lab smallboards --prove b4,e3 --frontier 16 --out b4e3.proof
  lab smallboards --check b4e3.proof`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.command(c.Context(), c.OutOrStdout()) },
	}
	flags := c.Flags()
	flags.IntVar(&f.size, "size", 4, "4 or 6")
	flags.IntVar(&f.pits, "pits", 2, "the most pits of a board; the rules allow 8 on 4x4")
	flags.StringVar(&f.out, "out", "boards.txt", "file of the table, to continue")
	flags.DurationVar(&f.limit, "limit", time.Minute, "of a board")
	flags.DurationVar(&f.time, "time", 8*time.Minute, "of the run")
	flags.StringVar(&f.prove, "prove", "", "make the certificate of the 6x6 board with these `pits`")
	flags.IntVar(&f.frontier, "frontier", 16, "empty cells of the claims of a certificate")
	flags.StringVar(&f.check, "check", "", "check the certificate of a `file`")
	flags.IntVar(&f.sample, "sample", -1, "how many claims of each side to check")
	flags.Uint64Var(&f.seed, "seed", 1, "of the sample")
	return c
}

type settings struct {
	size, pits  int
	out         string
	limit, time time.Duration

	prove, check     string
	frontier, sample int
	seed             uint64
}

func (f settings) command(ctx context.Context, report io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	switch {
	case f.prove != "":
		return f.makeCertificate(ctx, report)
	case f.check != "":
		return f.checkCertificate(report)
	}
	return f.run(ctx, report)
}

// makeCertificate writes the certificate of a board of the table.
func (f settings) makeCertificate(ctx context.Context, report io.Writer) error {
	table, err := solved.Embedded()
	if err != nil {
		return err
	}
	p, err := start(6, f.prove)
	if err != nil {
		return err
	}
	e, ok := table.Find(p)
	if !ok {
		return fmt.Errorf("6x6 with pits %s is not in the table", f.prove)
	}
	e.Pits = f.prove
	c, err := certify(ctx, e, f.frontier, 256)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(report, "%s: %d and %d moves\n", f.prove, len(c.moves[0]), len(c.moves[1])); err != nil {
		return err
	}
	return os.WriteFile(f.out, []byte(c.text()), 0o644) //nolint:gosec // others may read it
}

// checkCertificate checks the certificate of a file.
func (f settings) checkCertificate(report io.Writer) error {
	text, err := os.ReadFile(f.check)
	if err != nil {
		return err
	}
	c, err := parseCertificate(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", f.check, err)
	}
	v, err := c.verify(f.sample, f.seed)
	if err != nil {
		return fmt.Errorf("%s: %w", f.check, err)
	}
	_, err = fmt.Fprintf(report, "6x6 with pits %s: %+d; %d positions, %d of %d claims proved\n", c.pits, c.value, v.positions, v.proved, v.claims)
	return err
}

// run solves boards that the file does not have, and appends them to it.
func (f settings) run(ctx context.Context, report io.Writer) error {
	if f.size != 4 && f.size != 6 {
		return fmt.Errorf("size %d: expected 4 or 6", f.size)
	}
	done, err := f.solved()
	if err != nil {
		return err
	}
	todo := slices.DeleteFunc(classes(f.size, f.pits), func(pits string) bool { return done[pits] })
	if f.size == 6 {
		if todo, err = easiest(ctx, todo); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(f.out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) //nolint:gosec // the user names it
	if err != nil {
		return err
	}
	err = f.solveAll(ctx, todo, io.MultiWriter(file, report))
	return errors.Join(err, file.Close())
}

// solveAll writes the entries of boards until the context ends, and leaves those out that
// take longer than the limit.
func (f settings) solveAll(ctx context.Context, todo []string, out io.Writer) error {
	solver := new(bots.Solver)
	for _, pits := range todo {
		e, err := solve(ctx, solver, f.size, pits, f.limit)
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // the time is over
		case errors.Is(err, context.DeadlineExceeded):
			continue
		case err != nil:
			return err
		}
		if _, err := fmt.Fprintln(out, e.Text()); err != nil {
			return err
		}
	}
	return nil
}

// solved returns the pits of the boards that the file has.
func (f settings) solved() (map[string]bool, error) {
	done := map[string]bool{}
	text, err := os.ReadFile(f.out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	t, err := solved.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	for _, e := range t.Entries() {
		if e.Size == f.size {
			done[e.Pits] = true
		}
	}
	return done, nil
}

// classes returns the sets of up to a number of pits, one of each class of mirror images.
func classes(size, most int) (list []string) {
	seen := map[string]bool{}
	var add func(pits uint64, from int)
	add = func(pits uint64, from int) {
		if name := solved.Class(size, pits); !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
		for cell := from; cell < size*size && bits.OnesCount64(pits) < most; cell++ {
			if inner := func(i int) bool { return i == size/2-1 || i == size/2 }; !inner(cell/size) || !inner(cell%size) {
				add(pits|1<<cell, cell+1)
			}
		}
	}
	add(0, 0)
	return list
}

func start(size int, pits string) (*othello.Small, error) {
	p, err := othello.Game.Start(game.Setup{"size": fmt.Sprint(size), "pits": pits})
	if err != nil {
		return nil, err
	}
	return p.(*othello.Small), nil
}

// easiest sorts boards by the positions that a search of 11 plies visits.
func easiest(ctx context.Context, list []string) ([]string, error) {
	nodes := map[string]uint64{}
	for _, pits := range list {
		p, err := start(6, pits)
		if err != nil {
			return nil, err
		}
		s, err := bots.Searcher(othello.Game, bots.Options{})
		if err != nil {
			return nil, err
		}
		nodes[pits] = s.Search(ctx, engine.Position{Position: p}, engine.Limit{Depth: 11}, nil).Nodes
	}
	slices.SortStableFunc(list, func(a, b string) int { return int(nodes[a]) - int(nodes[b]) })
	return list, nil
}

// solve proves the value of a start.
func solve(ctx context.Context, solver *bots.Solver, size int, pits string, limit time.Duration) (solved.Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	p, err := start(size, pits)
	if err != nil {
		return solved.Entry{}, err
	}
	e := solved.Entry{Size: size, Pits: pits}
	sign := 1
	if first, all := onlyMove(p); all {
		e.Line = append(e.Line, first)
		p.Play(first)
		sign = -1
	}
	r, err := solver.Solve(ctx, othello.Game, p, bots.SolveLimit{Search: true})
	e.Value, e.Nodes, e.Line = sign*r.Value, r.Nodes, append(e.Line, r.Line...)
	return e, err
}

// onlyMove returns a move if all moves of a start are mirror images of each other.
func onlyMove(p *othello.Small) (first game.Move, all bool) {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return 0, false // the pits leave no move
	}
	for _, m := range moves[1:] {
		if !solved.Mirrored(p, moves[0], m) {
			return 0, false
		}
	}
	return moves[0], true
}
