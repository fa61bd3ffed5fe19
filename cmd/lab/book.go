package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/bots/othello/book"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
	"quintet/internal/atomicfile"
)

// bookFlags are the flags of "lab book othello".
type bookFlags struct {
	settings  book.Settings
	out       string
	positions int
	time      time.Duration
	threads   int
	openings  int
}

// newBook groups the commands that make opening books.
func newBook() *cobra.Command {
	c := &cobra.Command{
		Use:   "book GAME",
		Short: "Make an opening book",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newBookOthello())
	return c
}

func newBookOthello() *cobra.Command {
	var f bookFlags
	c := &cobra.Command{
		Use:   "othello",
		Short: "Make an opening book for Othello on 8x8",
		Long: `Book othello searches openings of Othello on 8x8 without pits by drop-out expansion
and writes a book. It serves the course's start and the standard start. If the file exists,
it is continued, with the settings that made it. An interrupt ends the work and keeps what
is done.

With --openings N it prints the openings of the file with N plies, one per line,
for "quintet arena --openings file:PATH".

The same settings and number of positions give the same file, however often the work was
interrupted and with any number of threads.`,
		Example: `  lab book othello --positions 5000 --out my.book
  lab book othello --time 1h --out my.book
  lab book othello --openings 6 --out my.book > openings.txt
  quintet engine othello --book=my.book`,
		Args: cobra.NoArgs,
	}
	flags := c.Flags()
	flags.StringVar(&f.out, "out", "othello8.book", "`FILE` to write, or to continue")
	flags.IntVar(&f.positions, "positions", 1000, fmt.Sprintf("number of positions to reach, at most %d; up to 15 more are made", book.MaxPositions-15))
	flags.DurationVar(&f.time, "time", 0, "stop after this time, such as 1h; 0 for no limit")
	flags.IntVar(&f.openings, "openings", 0, "print the openings of this many `plies`, 1 to 30, and search nothing")
	flags.IntVar(&f.threads, "threads", 1, "search threads")
	flags.Uint64Var(&f.settings.Nodes, "nodes", 1_000_000, "positions that each search visits")
	flags.IntVar(&f.settings.Margin, "margin", 300, "`hundredths` of a disc that a move of the book may lose against the best")
	flags.IntVar(&f.settings.Weight, "weight", 4, "how many plies of depth a loss of one disc counts, 0 to 100")
	flags.Uint64Var(&f.settings.Seed, "seed", 1, "random seed that orders openings of about equal value")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("openings") {
			return f.printOpenings(c.OutOrStdout())
		}
		b, err := f.open(c.Flags().Changed)
		if err != nil {
			return err
		}
		return f.expand(c.Context(), c.ErrOrStderr(), b)
	}
	return c
}

// printOpenings prints openings of the book.
func (f *bookFlags) printOpenings(out io.Writer) error {
	if f.openings < 1 || f.openings > 30 {
		return fmt.Errorf("openings %d: expected 1 to 30 plies", f.openings)
	}
	b, err := book.Open(f.out)
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	p, err := othello.Game.Start(nil)
	if err != nil {
		return err
	}
	for _, line := range b.Openings(p.(*othello.Small), f.openings) {
		if _, err := fmt.Fprintln(out, strings.Join(game.FormatMoves(p, line), " ")); err != nil {
			return err
		}
	}
	return nil
}

// open checks the flags and returns the book to continue, or a new one.
func (f *bookFlags) open(changed func(flag string) bool) (*book.Book, error) {
	switch most := book.MaxPositions - 15; {
	case f.positions < 1 || f.positions > most:
		return nil, fmt.Errorf("positions %d: expected 1 to %d", f.positions, most)
	case f.time < 0:
		return nil, fmt.Errorf("time %v: expected 0 or more", f.time)
	case f.threads < 1 || f.threads > 256:
		return nil, fmt.Errorf("threads %d: expected 1 to 256", f.threads)
	}
	if err := f.settings.Check(); err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	b, err := book.Open(f.out)
	if errors.Is(err, fs.ErrNotExist) {
		return book.New(f.settings), nil
	}
	if err != nil {
		return nil, err
	}
	got := b.Settings()
	for _, s := range []struct {
		name      string
		want, got uint64
	}{
		{"nodes", f.settings.Nodes, got.Nodes},
		{"margin", uint64(f.settings.Margin), uint64(got.Margin)},
		{"weight", uint64(f.settings.Weight), uint64(got.Weight)},
		{"seed", f.settings.Seed, got.Seed},
	} {
		if changed(s.name) && s.want != s.got {
			return nil, fmt.Errorf("%s was made with --%s %d, not %d: expected another --out", f.out, s.name, s.got, s.want)
		}
	}
	return b, nil
}

// savePeriod is the time between two savings.
const savePeriod = 30 * time.Second

// expand adds positions to the book until a limit, at least a round, and saves it now and
// then.
func (f *bookFlags) expand(ctx context.Context, report io.Writer, b *book.Book) error {
	builder, err := f.builder(b)
	if err != nil {
		return err
	}
	if f.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.time)
		defer cancel()
	}
	var saved time.Time // so that a file that cannot be written fails at once
	for more := true; more && (saved.IsZero() || b.Len() < f.positions); {
		if more, err = builder.Round(ctx); ctx.Err() != nil {
			break
		}
		if err != nil {
			return fmt.Errorf("expanding the book: %w", err)
		}
		if time.Since(saved) > savePeriod {
			saved = time.Now()
			if err := f.save(report, b); err != nil {
				return err
			}
		}
	}
	return f.save(report, b)
}

// builder returns the builder of the book.
func (f *bookFlags) builder(b *book.Book) (*book.Builder, error) {
	searches := make([]engine.Searcher, f.threads)
	for i := range searches {
		var err error
		if searches[i], err = bots.Searcher(othello.Game, bots.Options{}); err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
	}
	return book.NewBuilder(b, searches), nil
}

// save writes the book to its file, which is replaced at once, and reports its state.
func (f *bookFlags) save(report io.Writer, b *book.Book) error {
	var data bytes.Buffer
	if err := b.Write(&data); err != nil {
		return fmt.Errorf("book: %w", err)
	}
	if err := atomicfile.Write(f.out, data.Bytes(), 0o644); err != nil {
		return err
	}
	p, err := othello.Game.Start(nil)
	if err != nil {
		return err
	}
	line := ""
	if moves := b.Moves(p); len(moves) > 0 {
		words := game.FormatMoves(p, moves[0].Line)
		line = fmt.Sprintf(", %s %+d, depth %d: %s", words[0], moves[0].Score, moves[0].Depth, strings.Join(words, " "))
	}
	_, err = fmt.Fprintf(report, "%d positions, %d bytes%s\n", b.Len(), data.Len(), line)
	return err //nolint:wrapcheck // standard error is gone
}
