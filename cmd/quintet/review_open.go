package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"time"

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
			if !asJSON && !text && onTerminal(c) && !dumb(os.Getenv) {
				return openTerminal(c, ascii, func(a *tui.App) error { a.OpenReview(r); return nil })
			}
			return writeReview(c.OutOrStdout(), r.Game, r.Start, r.Plies, asJSON)
		},
	}
	c.Flags().BoolVar(&text, "text", false, "print the assessments, also on a terminal")
	c.Flags().BoolVar(&ascii, "ascii", false, "draw with plain ASCII characters")
	addJSON(c, &asJSON)
	return c
}

// findReview reads the review of an address, of a file, or of standard input.
func findReview(ctx context.Context, source string, in io.Reader) (*stored.Review, error) {
	switch {
	case source == "-":
		return stored.ReadFrom(in)
	case tui.IsURL(source):
		return fetchReview(ctx, source)
	}
	return stored.Open(source)
}

// reviewTimeout is how long a server may take to answer.
const reviewTimeout = 30 * time.Second

// fetchReview gets a review from a server.
func fetchReview(ctx context.Context, address string) (*stored.Review, error) {
	at, err := reviewURL(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, reviewTimeout)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, fmt.Errorf("opening a review: %w", err)
	}
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, fmt.Errorf("opening a review: %w", err)
	}
	defer func() { _ = got.Body.Close() }()
	if got.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("opening a review: the server answers %s%s", got.Status, reason(got.Body))
	}
	return stored.ReadFrom(got.Body)
}

// reason returns the sentence of an answer that says why a request was refused, "" without one.
func reason(body io.Reader) string {
	var answer struct {
		Error string `json:"error"`
	}
	data, err := io.ReadAll(io.LimitReader(body, 4<<10))
	if err != nil || json.Unmarshal(data, &answer) != nil || answer.Error == "" {
		return ""
	}
	return fmt.Sprintf(": %.300q", answer.Error) // quoted: it goes to a terminal
}

// reviewURL returns the address of a review in the API for that of its page.
func reviewURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", errors.New("opening a review: give an address such as http://127.0.0.1:8080/review/8gj4rxkqu2m5hd7yntwc")
	}
	page := regexp.MustCompile(`^(.*)/(?:review|api/reviews)/([0-9a-z]+)(?:/events)?/?$`)
	found := page.FindStringSubmatch(u.Path)
	if found == nil {
		return "", fmt.Errorf("opening a review: the path %.80q is not that of a review: it has /review/ and an identifier", u.Path)
	}
	u.Path, u.RawPath, u.RawQuery, u.Fragment = found[1]+"/api/reviews/"+found[2], "", "", ""
	return u.String(), nil
}
