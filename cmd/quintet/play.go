package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"quintet/arena/players"
	"quintet/bots"
	"quintet/bots/othello/book"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/internal/cli"
	"quintet/record"
	"quintet/review/stored"
	"quintet/tui"
	"quintet/tui/lines"
	"quintet/tui/store"
	"quintet/tui/table"
	"quintet/web"
)

// playFlags are the flags of the command, except those of the set-up.
type playFlags struct {
	first, second, clock, halt string
	ascii                      bool
}

func newPlay() *cobra.Command {
	var f playFlags
	c := &cobra.Command{
		Use:   "play GAME",
		Short: "Play a game in the terminal",
		Long: `Play opens the terminal interface with a game. By default you play the first
side against level 3. "quintet" without arguments opens the home screen.

Games are saved after every move ($XDG_STATE_HOME/quintet/games, usually
~/.local/state/quintet/games); the next start offers to continue.`,
		Example: `  quintet play othello --size 10 --pits c3,h8
  quintet play chess --second level:6 --clock 5+3
  quintet play loa --first person --second person
  quintet play chess --position "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
  quintet play othello --second "nboard:./edax -nboard"`,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	s.addPosition()
	flags := c.Flags()
	flags.StringVar(&f.first, "first", table.Person, "who plays the first side: person, "+players.Help())
	flags.StringVar(&f.second, "second", "level:3", "who plays the second side")
	flags.StringVar(&f.clock, "clock", "none", "minutes per game and seconds added per move, such as 5+3, or none")
	flags.StringVar(&f.halt, "halt", "", "who may halt a game of chess: none, claim (a player on their own turn, the rule of the course) or agreed; default none")
	addScreen(c, &f.ascii)
	cli.Complete(c, append(players.Names(), table.Person), "first", "second")
	cli.Complete(c, []string{"none", "3+2", "5+3", "10+5"}, "clock")
	cli.Complete(c, []string{"none", "claim", "agreed"}, "halt")
	c.RunE = func(c *cobra.Command, args []string) error {
		g, err := games.ByName(args[0])
		if err != nil {
			return err
		}
		t, err := f.table(c.Context(), g, s)
		if err != nil {
			return err
		}
		if !cli.Interactive(c) {
			return errors.New("play: needs a terminal; for pipes use quintet console " + g.Name)
		}
		if cli.Dumb(os.Getenv) {
			return playLines(c, t)
		}
		return openTerminal(c, f.ascii, func(a *tui.App) error {
			a.Start(t)
			return nil
		})
	}
	return c
}

// table sets up the game.
func (f *playFlags) table(ctx context.Context, g game.Game, s *start) (*table.Table, error) {
	p, err := s.begin(g)
	if err != nil {
		return nil, err
	}
	if _, err := playAll(p, s.moves); err != nil {
		return nil, err
	}
	setup := s.setup()
	if f.halt != "" {
		setup["halt"] = f.halt
	}
	if _, err := g.Start(setup); err != nil {
		return nil, err
	}
	control, err := table.ParseControl(f.clock)
	if err != nil {
		return nil, err
	}
	seats := [2]string{f.first, f.second}
	if err := f.check(ctx, g, seats); err != nil {
		return nil, err
	}
	return table.Begin(record.From(g, g.NewSetup(setup), p), seats, control)
}

// check creates each player once, to report errors early.
func (f *playFlags) check(ctx context.Context, g game.Game, seats [2]string) error {
	for _, name := range seats {
		if name == table.Person {
			continue
		}
		if err := tryPlayer(func() (engine.Player, error) { return players.New(ctx, name, g, 1) }); err != nil {
			return err
		}
	}
	return nil
}

// tryPlayer creates a player and closes it.
func tryPlayer(make func() (engine.Player, error)) error {
	p, err := make()
	if err != nil {
		return err
	}
	return failed(p.Close())
}

// openTerminal runs the terminal interface until the user quits. A non-nil first opens the
// first screen.
func openTerminal(c *cobra.Command, ascii bool, first func(*tui.App) error) error {
	env := terminalEnv(os.Getenv)
	var err error
	if env.Language, err = languageOf(c, os.Getenv); err != nil {
		return err
	}
	env.ASCII = env.ASCII || ascii
	ctx, stop := context.WithCancel(c.Context())
	app := tui.New(ctx, env)
	defer app.Wait()
	defer stop()
	if first != nil {
		if err := first(app); err != nil {
			return err
		}
	}
	program := tea.NewProgram(app, tea.WithContext(ctx), tea.WithInput(c.InOrStdin()), tea.WithOutput(cli.Raw(c.OutOrStdout())))
	if _, err := program.Run(); err != nil && !errors.Is(err, tea.ErrInterrupted) {
		return failed(fmt.Errorf("the terminal: %w", err))
	}
	return nil
}

// playLines plays in line mode; t may be nil.
func playLines(c *cobra.Command, t *table.Table) error {
	env := terminalEnv(os.Getenv)
	var err error
	if env.Language, err = languageOf(c, os.Getenv); err != nil {
		return err
	}
	if err := lines.Run(c.Context(), env, t, c.InOrStdin(), c.OutOrStdout()); err != nil {
		return failed(err)
	}
	return nil
}

// terminalEnv returns the environment of the terminal interface.
func terminalEnv(getenv func(string) string) tui.Env {
	return tui.Env{
		Store: store.Open(getenv), Games: games.All(), Now: time.Now, Seed: rand.Uint64, Pace: 300 * time.Millisecond,
		Player: func(ctx context.Context, name string, g game.Game) (engine.Player, error) {
			return players.New(ctx, name, g, 1)
		},
		Review: stored.Fetch, Book: bookMoves(),
		Searcher: func(g game.Game) (engine.Searcher, error) {
			return bots.Searcher(g, bots.Options{Megabytes: 64})
		},
		Rules: web.Rules,
		ASCII: cli.ASCIIOnly(getenv), Plain: getenv("NO_COLOR") != "" || cli.Dumb(getenv),
	}
}

// bookMoves returns a function that looks positions up in the opening book of the program,
// which is loaded when it is first needed.
func bookMoves() func(game.Position) []engine.Line {
	embedded := sync.OnceValues(book.Embedded)
	return func(p game.Position) (list []engine.Line) {
		b, err := embedded()
		if err != nil {
			return nil // it is a part of the program, and a test reads it
		}
		for _, m := range b.Moves(p) {
			list = append(list, engine.Line{Score: m.Score, Moves: m.Line})
		}
		return list
	}
}
