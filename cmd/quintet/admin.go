package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/cli"
	"quintet/live"
	"quintet/serve"
)

func newAdmin() *cobra.Command {
	c := &cobra.Command{
		Use:   "admin",
		Short: "Hide or erase what a server keeps, and manage its accounts",
		Long: `Admin hides a game or a study everywhere, or a name wherever it is shown.
A hidden game or study is shown to no one, not even its players or editors: pages, lists,
the API, records, pictures and sockets answer as if it did not exist. A hidden name is
shown as Anonymous, and no player can take it.

Hide deletes nothing, and show undoes it. Erase removes a game, a study, a review or a name
for good. Rulings are stored in the log, so they survive restarts and backups, and apply to
all servers of a cluster.`,
	}
	c.AddCommand(newRuling(live.Hide, "Hide a game, a study or a name"), newRuling(live.Show, "Show a hidden game, study or name again"), newErase(), newRulings(), newAccounts())
	return c
}

func newRuling(do live.RulingVerb, short string) *cobra.Command {
	var at logLocation
	c := &cobra.Command{
		Use:       string(do) + " game|study|name WHAT",
		Short:     short,
		Example:   fmt.Sprintf("  quintet admin %s game abcdefgh2345\n  quintet admin %[1]s name \"Rude Name\" --data /var/lib/quintet", do),
		Args:      cli.Exactly(2),
		ValidArgs: []string{"game", "study", "name"},
		RunE: func(c *cobra.Command, args []string) error {
			r := live.Ruling{Do: do, Wall: time.Now().UnixMilli()}
			var err error
			if r.Game, r.Name, err = named(c.ValidArgs, args); err != nil {
				return err
			}
			if err := r.Check(); err != nil {
				return err
			}
			return at.run(c, func(ctx context.Context) error { return moderate(ctx, c.OutOrStdout(), &at, r) })
		},
	}
	at.add(c, "of the games")
	return c
}

// named returns the stream or the name that arguments such as "game abcdefgh2345" denote.
func named(kinds, args []string) (stream, name string, err error) {
	switch kind := live.Category(args[0]); {
	case !slices.Contains(kinds, args[0]):
		return "", "", fmt.Errorf("%q: expected %s", args[0], game.Alternatives(kinds))
	case kind == "name":
		return "", args[1], nil
	default:
		return kind.Stream(args[1]), "", nil
	}
}

func newRulings() *cobra.Command {
	var at logLocation
	c := &cobra.Command{
		Use:   "list",
		Short: "List what is hidden or erased",
		Args:  cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return at.run(c, func(ctx context.Context) error { return listRulings(ctx, c.OutOrStdout(), &at) })
		},
	}
	at.add(c, "of the games")
	return c
}

// moderate appends a ruling to the log, through the folder's server if one is running.
func moderate(ctx context.Context, out io.Writer, at *logLocation, r live.Ruling) error {
	changed, err := perform(ctx, at, "/rulings", r, live.Moderate)
	if err != nil {
		return err
	}
	state := "hidden"
	if r.Do == live.Show {
		state = "shown"
	}
	if !changed {
		state += " already"
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", subject(r.Game, r.Name, "%q"), state)
	return err
}

// subject says what a ruling is about: a stream, or a name in a format.
func subject(stream, name, format string) string {
	if name != "" {
		return "name " + fmt.Sprintf(format, name)
	}
	category := live.CategoryOf(stream)
	return string(category) + " " + strings.TrimPrefix(stream, category.Stream(""))
}

func listRulings(ctx context.Context, out io.Writer, at *logLocation) error {
	list, err := perform(ctx, at, "/hidden", struct{}{}, hidden)
	for _, r := range list {
		text := subject(r.Game, r.Name, "%s")
		if r.Do == live.Erase {
			text += " (erased)"
		}
		if _, err := fmt.Fprintf(out, "%s  %s\n", time.UnixMilli(r.Wall).UTC().Format(time.DateTime), text); err != nil {
			return err
		}
	}
	return err
}

// hidden lists what is hidden or erased in a log.
func hidden(ctx context.Context, l live.Log, _ struct{}) ([]live.Ruling, error) {
	all, _, err := live.Rulings(ctx, l)
	return all.List(), err
}

// perform asks the server of a folder for the answer to a request, or gets it from the log if no server has
// that open.
func perform[Q, A any](ctx context.Context, at *logLocation, path string, request Q, do func(context.Context, live.Log, Q) (A, error)) (answer A, err error) {
	err = at.with(ctx, func(l live.Log) (err error) {
		answer, err = do(ctx, l, request)
		return err
	}, func(c *http.Client) error {
		got, err := askServer(ctx, c, http.MethodPost, path, request)
		if err != nil {
			return err
		}
		defer func() { _ = got.Close() }() // it was only read
		if err := json.NewDecoder(got).Decode(&answer); err != nil {
			return &refusedError{fmt.Errorf("reading the answer of the server: %w", err)}
		}
		return nil
	})
	return answer, err
}

// maxControlBody is the maximum size of a request of quintet admin.
const maxControlBody = 1 << 10

// eraseFunc is serve.Server.Erase.
type eraseFunc func(context.Context, serve.Erasing) (serve.Erased, error)

// controlRulings serves the requests of quintet admin on this machine.
func controlRulings(mux *http.ServeMux, l live.Log, erase eraseFunc) {
	mux.HandleFunc("POST /hidden", answering(l, hidden))
	mux.HandleFunc("POST /rulings", answering(l, live.Moderate))
	mux.HandleFunc("POST /accounts", answering(l, changeAccounts))
	mux.HandleFunc("POST /erase", answering(l, func(ctx context.Context, _ live.Log, what serve.Erasing) (serve.Erased, error) {
		return erase(ctx, what)
	}))
}

// answering returns a handler that decodes a request of perform and sends what do returns.
func answering[Q, A any](l live.Log, do func(context.Context, live.Log, Q) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var request Q
		var answer A
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxControlBody)).Decode(&request)
		if err == nil {
			answer, err = do(r.Context(), l, request)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		_ = json.NewEncoder(w).Encode(answer) // the client may have left
	}
}
