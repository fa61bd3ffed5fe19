package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
	"quintet/internal/cli"
	"quintet/tui"
	"quintet/tui/remote"
	"quintet/tui/table"
)

// serverVariable names a server in the environment, tokenVariable the token of an account there.
const (
	serverVariable = "QUINTET_SERVER"
	tokenVariable  = "QUINTET_TOKEN"
)

const defaultServer = "http://127.0.0.1:8080"

func newTournament() *cobra.Command {
	c := &cobra.Command{
		Use:   "tournament",
		Short: "List, make, join, follow and export the tournaments of a server",
		Long: `Tournament talks to a server that "quintet serve" runs: --server, or $QUINTET_SERVER, or
` + defaultServer + `. To make, start and join tournaments, put a token of your account into
$QUINTET_TOKEN. It needs the scope "play", and the scope "account" to make and start tournaments.
The files of export are standings.csv, report.trf, games.zip and calendar.ics.`,
		Example: `  quintet tournament make "Friday evening" --game "othello size=6" --game loa --clock 3+2
  quintet tournament play ID
  quintet tournament show ID
  quintet tournament export ID standings.csv --out standings.csv`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return failed(c.Help()) },
	}
	c.AddCommand(
		newTournamentCommand("list", "List the tournaments", 0, listTournaments),
		newTournamentMake(),
		newTournamentCommand("start ID", "Start a tournament of yours", 1, tournamentRequest(http.MethodPost, "/start")),
		newTournamentJoin(),
		newTournamentCommand("withdraw ID", "Withdraw from a tournament", 1, tournamentRequest(http.MethodDelete, "/players/me")),
		newTournamentPlay(),
		newTournamentCommand("show ID", "Show the standings and the games", 1, tournamentRequest(http.MethodGet, "")),
		newTournamentCommand("series ID", "Show the table of the series that a tournament belongs to", 1, showSeries),
		newTournamentCommand("watch ID", "Follow a tournament, with the addresses of your games", 1, watchTournament),
		newTournamentExport(),
	)
	return c
}

// tournamentRun is a run of a command of tournament.
type tournamentRun struct {
	remote.Client

	cmd    *cobra.Command
	out    io.Writer
	asJSON bool
	args   []string
}

// newTournamentCommand returns a command that do carries out.
func newTournamentCommand(use, short string, args int, do func(ctx context.Context, r tournamentRun) error) *cobra.Command {
	var r tournamentRun
	c := &cobra.Command{
		Use: use, Short: short, Args: cli.Exactly(args),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			r.Base = cmp.Or(r.Base, os.Getenv(serverVariable), defaultServer)
			r.Token, r.cmd, r.out, r.args = os.Getenv(tokenVariable), c, c.OutOrStdout(), args
			if u, err := url.Parse(r.Base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				return fmt.Errorf("--server %q: give an address such as %s", r.Base, defaultServer)
			}
			return failed(do(ctx, r))
		},
	}
	c.Flags().StringVar(&r.Base, "server", "", "the `URL` of the server (default $QUINTET_SERVER, or "+defaultServer+")")
	addJSON(c, &r.asJSON)
	return c
}

func listTournaments(ctx context.Context, r tournamentRun) error {
	var all map[string][]remote.Tournament
	if err := r.Ask(ctx, http.MethodGet, "/api/tournaments", nil, &all); err != nil {
		return err
	}
	text := fmt.Sprintf("%-13s %-8s %7s  %-9s %s\n", "id", "state", "players", "form", "title")
	for _, phase := range []string{"running", "waiting", "over"} {
		for _, t := range all[phase] {
			text += fmt.Sprintf("%-13s %-8s %7d  %-9s %s\n", t.ID, t.Phase, t.Players, t.Form, t.Title)
		}
	}
	return writeResult(r.out, r.asJSON, all, text)
}

func showSeries(ctx context.Context, r tournamentRun) error {
	var s remote.Series
	if err := r.Ask(ctx, http.MethodGet, remote.TournamentPath(r.args[0])+"/series", nil, &s); err != nil {
		return err
	}
	return writeResult(r.out, r.asJSON, s, seriesText(s))
}

// tournamentRequest returns a command that sends a request without a body and prints the tournament.
func tournamentRequest(method, path string) func(ctx context.Context, r tournamentRun) error {
	return func(ctx context.Context, r tournamentRun) error { return r.shown(ctx, method, path, nil) }
}

// shown sends a request about the tournament that the first argument names, and prints it.
func (r tournamentRun) shown(ctx context.Context, method, path string, body any) error {
	var t remote.Tournament
	if err := r.Ask(ctx, method, remote.TournamentPath(r.args[0])+path, body, &t); err != nil {
		return err
	}
	return writeResult(r.out, r.asJSON, t, tournamentText(t))
}

// makeFlags are the flags of a new tournament.
type makeFlags struct {
	form, clock, starts, code, series, class      string
	games                                         []string
	rounds, minutes, pause, most, lowest, highest int
	rated, berserk                                bool
}

func newTournamentMake() *cobra.Command {
	var f makeFlags
	c := newTournamentCommand("make TITLE", "Make a tournament", 1, func(ctx context.Context, r tournamentRun) error {
		body, err := f.body(r.args[0])
		if err != nil {
			return err
		}
		var made struct {
			ID  string `json:"id"`
			URL string `json:"url"`
		}
		if err := r.Ask(ctx, http.MethodPost, "/api/tournaments", body, &made); err != nil {
			return err
		}
		return writeResult(r.out, r.asJSON, made, made.ID+" "+made.URL+"\n")
	})
	cli.Choice(c, &f.form, "form", "swiss", "how players are paired", "arena", "swiss", "robin", "knockout")
	flags := c.Flags()
	flags.StringArrayVar(&f.games, "game", []string{"othello"}, "a `game` with its options, such as \"othello size=6\"; with several, each round plays the next one")
	flags.StringVar(&f.clock, "clock", "3+2", "minutes per game and seconds added per move")
	flags.StringVar(&f.starts, "starts", "", "a `time` such as 2026-11-27T18:00:00Z (default: when you start it)")
	flags.StringVar(&f.code, "code", "", "a `code` that players must know to join")
	flags.StringVar(&f.series, "series", "", "the `name` of a series: your tournaments with the same name share a table")
	flags.StringVar(&f.class, "class", "", "the identifier of the `class` that the tournament is for")
	flags.BoolVar(&f.berserk, "berserk", false, "players of an arena may play with half of their time, for one more point")
	flags.BoolVar(&f.rated, "rated", false, "the games count for ratings")
	cli.Number(c, &f.rounds, "rounds", 0, "rounds of a Swiss, 5 by default; how often two players of a round robin meet, 1 by default").Between(0, 30)
	cli.Number(c, &f.minutes, "minutes", 45, "minutes of an arena").AtLeast(1)
	cli.Number(c, &f.pause, "pause", 10, "seconds between two rounds").AtLeast(0)
	cli.Number(c, &f.most, "most", 0, "maximum number of players; 0 means 100, or the maximum of the form if that is lower").AtLeast(0)
	cli.Number(c, &f.lowest, "low", 0, "the lowest rating of players; 0 for any").AtLeast(0)
	cli.Number(c, &f.highest, "high", 0, "the highest rating of players; 0 for any").AtLeast(0)
	return c
}

// body returns the request for a tournament.
func (f *makeFlags) body(title string) (map[string]any, error) {
	control, err := table.ParseControl(f.clock)
	if err != nil {
		return nil, err
	}
	var list []map[string]any
	for _, text := range f.games {
		words := strings.Fields(text)
		if len(words) == 0 {
			return nil, errors.New(`--game: name a game, such as "othello size=6"`)
		}
		g, err := games.ByName(words[0])
		if err != nil {
			return nil, err
		}
		setup := game.Setup{}
		for _, option := range words[1:] {
			name, value, ok := strings.Cut(option, "=")
			if !ok {
				return nil, fmt.Errorf("--game %q: give options as NAME=VALUE, such as size=6", text)
			}
			setup[name] = value
		}
		if _, err := g.Start(setup); err != nil {
			return nil, err
		}
		list = append(list, map[string]any{"game": g.Name, "options": setup})
	}
	body := map[string]any{
		"title": title, "form": f.form, "games": list, "rated": f.rated, "starts": f.starts, "code": f.code, "series": f.series, "class": f.class,
		"clock":  map[string]int{"main": int(control.Base / time.Second), "increment": int(control.Increment / time.Second)},
		"rounds": f.rounds, "minutes": f.minutes, "berserk": f.berserk, "pause": f.pause, "most": f.most, "low": f.lowest, "high": f.highest,
	}
	if f.rounds == 0 && f.form == "swiss" {
		body["rounds"] = 5
	}
	return body, nil
}

func newTournamentJoin() *cobra.Command {
	var code string
	c := newTournamentCommand("join ID", "Join a tournament (tournament play opens your games)", 1, func(ctx context.Context, r tournamentRun) error {
		if r.Token == "" {
			return fmt.Errorf("joining: put a token of your account into $%s", tokenVariable)
		}
		return r.shown(ctx, http.MethodPost, "/players", map[string]string{"code": code})
	})
	c.Flags().StringVar(&code, "code", "", "the `code`, if the organiser asks for one")
	return c
}

func newTournamentPlay() *cobra.Command {
	ascii := false
	c := newTournamentCommand("play ID", "Play or watch a tournament in the terminal", 1, func(ctx context.Context, r tournamentRun) error {
		if !cli.Interactive(r.cmd) || cli.Dumb(os.Getenv) {
			return errors.New("tournament play needs a terminal: use tournament watch for line-by-line output")
		}
		if err := r.Ask(ctx, http.MethodGet, remote.TournamentPath(r.args[0]), nil, &remote.Tournament{}); err != nil {
			return err
		}
		return openTerminal(r.cmd, ascii, func(a *tui.App) error {
			a.Tournament(r.Client, r.args[0])
			return nil
		})
	})
	addScreen(c, &ascii)
	return c
}

func newTournamentExport() *cobra.Command {
	var path string
	c := newTournamentCommand("export ID FILE", "Download the standings, the report, the games or the calendar", 2, func(ctx context.Context, r tournamentRun) error {
		answer, err := r.Open(ctx, http.MethodGet, remote.TournamentPath(r.args[0])+"/files/"+url.PathEscape(r.args[1]), nil)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Close() }()
		if path == "" {
			_, err := io.Copy(r.out, answer)
			return err
		}
		return writeNew(path, answer)
	})
	c.Flags().StringVar(&path, "out", "", "the `file` to write (default: standard output)")
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) != 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []cobra.Completion{"standings.csv", "report.trf", "games.zip", "calendar.ics"}, cobra.ShellCompDirectiveNoFileComp
	}
	return c
}

// writeNew writes a new file.
func writeNew(path string, from io.Reader) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // the user names the file, which others may read
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
