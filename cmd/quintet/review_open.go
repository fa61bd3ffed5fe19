package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/review/stored"
	"quintet/tui"
)

func newReview() *cobra.Command {
	var asJSON, text, ascii bool
	c := &cobra.Command{
		Use:   "review ADDRESS|FILE",
		Short: "Open a review that a server has computed",
		Long: `Review opens a review in the terminal: the game, the assessment of each move, a graph
and the worst moves. The review comes from a server, by the address of its page or of the
API, or from a file with the answer of GET /api/reviews/{id}; - is standard input.
Without a terminal, with --text and with --json, it prints the assessments.

To review a game here, use quintet analyze --review.`,
		Example: `  quintet review http://127.0.0.1:8080/review/8gj4rxkqu2m5hd7yntwc
  quintet review saved.json --text`,
		Args: cli.Exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			r, err := findReview(ctx, args[0], c.InOrStdin())
			if err != nil {
				return failed(err)
			}
			if !asJSON && !text && cli.Interactive(c) && !cli.Dumb(os.Getenv) {
				return openTerminal(c, ascii, func(a *tui.App) error { a.OpenReview(r); return nil })
			}
			return writeReview(c.OutOrStdout(), r.Game, r.Start, r.Moves, r.Plies, asJSON)
		},
	}
	c.Flags().BoolVar(&text, "text", false, "print the assessments, also on a terminal")
	addScreen(c, &ascii)
	addJSON(c, &asJSON)
	return c
}

// findReview reads the review of an address, of a file, or of standard input.
func findReview(ctx context.Context, source string, in io.Reader) (*stored.Review, error) {
	switch {
	case source == "-":
		return stored.Read(in)
	case tui.IsURL(source):
		return stored.Fetch(ctx, source)
	}
	return stored.Open(source)
}
