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
	changed := false
	err := at.with(ctx, func(l live.Log) (err error) {
		changed, err = live.Moderate(ctx, l, r)
		return err
	}, func(c *http.Client) error {
		return rulings(ctx, c, http.MethodPost, r, &changed)
	})
	if err != nil {
		return err
	}
	what, state := subject(r, "%q"), "hidden"
	if r.Do == live.Show {
		state = "shown"
	}
	if !changed {
		state += " already"
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", what, state)
	return err
}

// subject says what a ruling is about, with a name in a format.
func subject(r live.Ruling, format string) string {
	if r.Name != "" {
		return "name " + fmt.Sprintf(format, r.Name)
	}
	category := live.CategoryOf(r.Game)
	return string(category) + " " + strings.TrimPrefix(r.Game, category.Stream(""))
}

func listRulings(ctx context.Context, out io.Writer, at *logLocation) error {
	var list []live.Ruling
	err := at.with(ctx, func(l live.Log) error {
		hidden, _, err := live.Rulings(ctx, l)
		list = hidden.List()
		return err
	}, func(c *http.Client) error {
		return rulings(ctx, c, http.MethodGet, nil, &list)
	})
	for _, r := range list {
		if err != nil {
			break
		}
		text := subject(r, "%s")
		if r.Do == live.Erase {
			text += " (erased)"
		}
		_, err = fmt.Fprintf(out, "%s  %s\n", time.UnixMilli(r.Wall).UTC().Format(time.DateTime), text)
	}
	return err
}

// rulings asks the server of a folder for its rulings, or to add one.
func rulings(ctx context.Context, c *http.Client, method string, body, answer any) error {
	return askFor(ctx, c, method, "/rulings", body, answer)
}

// askFor sends a request to the server of a folder and decodes its answer.
func askFor(ctx context.Context, c *http.Client, method, path string, body, answer any) error {
	got, err := askServer(ctx, c, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = got.Close() }() // it was only read
	if err := json.NewDecoder(got).Decode(answer); err != nil {
		return &refusedError{fmt.Errorf("reading the answer of the server: %w", err)}
	}
	return nil
}

// maxControlBody is the maximum size of a request of quintet admin.
const maxControlBody = 1 << 10

// eraseFunc is serve.Server.Erase.
type eraseFunc func(context.Context, serve.Erasing) (serve.Erased, error)

// controlRulings serves the requests of quintet admin on this machine.
func controlRulings(mux *http.ServeMux, l live.Log, erase eraseFunc) {
	mux.HandleFunc("GET /rulings", answering(func(ctx context.Context, _ struct{}) ([]live.Ruling, error) {
		hidden, _, err := live.Rulings(ctx, l)
		return hidden.List(), err
	}))
	mux.HandleFunc("POST /rulings", answering(func(ctx context.Context, data json.RawMessage) (changed bool, err error) {
		r, err := live.ReadRuling(data)
		if err != nil {
			return false, err
		}
		return live.Moderate(ctx, l, r)
	}))
	mux.HandleFunc("POST /accounts", answering(func(ctx context.Context, c accountChange) ([]accountLine, error) { return c.do(ctx, l) }))
	mux.HandleFunc("POST /erase", answering(erase))
}

// answering returns a handler that decodes a request of quintet admin and sends what do returns.
func answering[Q, A any](do func(context.Context, Q) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var request Q
		var answer A
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxControlBody)).Decode(&request)
		if err == nil {
			answer, err = do(r.Context(), request)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		_ = json.NewEncoder(w).Encode(answer) // the client may have left
	}
}
