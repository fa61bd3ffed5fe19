// Package tui is the terminal program: a home screen, boards to play on, saved
// games. It runs on Bubble Tea, knows no game's rules and draws every board with
// package grid.
//
// Start with Run. Each screen is a Screen on a stack that App holds; all of them
// share one Common. The package promises that nothing that takes time runs where
// keys are handled, that whatever it starts has ended when Run returns, and that
// the game in progress is on the disk after every move.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/tui/look"
	"quintet/tui/store"
)

// Player chooses moves, in one game at a time.
type Player interface {
	Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error)
	NewGame(seed uint64)
	Close() error
}

// Options are what the program needs of the world.
type Options struct {
	// Players makes a player of a name, and Known says whether there is one of
	// that name without making it.
	Players func(ctx context.Context, name string, g game.Game) (Player, error)
	Known   func(name string) error

	Store *store.Store
	Env   func(string) string
	Now   func() time.Time
	Seed  uint64 // of players that are random

	Theme, Glyphs string // "" for those chosen last

	Begin *Choice        // a game to begin at once; nil for the home screen
	Open  *record.Record // a game to go on with at once
}

// Run runs the program on a terminal until the user leaves it, or the context
// ends.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := newCommon(ctx, o)
	if err != nil {
		return err
	}
	app := newApp(c)
	if err := app.begin(o); err != nil {
		return err
	}
	_, err = tea.NewProgram(app, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)).Run()
	cancel()
	app.close()
	c.tasks.wait()
	if err != nil && !errors.Is(err, tea.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("running the terminal program: %w", err)
	}
	return nil
}

// begin opens the screens with which the program starts.
func (a *App) begin(o Options) error {
	a.push(newHome(a.Common))
	switch {
	case o.Open != nil:
		s, err := resume(a.Common, o.Open)
		if err != nil {
			return err
		}
		a.push(newPlay(a.Common, s))
	case o.Begin != nil:
		s, err := o.Begin.begin(a.Common)
		if err != nil {
			return err
		}
		a.push(newPlay(a.Common, s))
	}
	return nil
}

// look chooses how everything is drawn.
func (c *Common) dress() error {
	l, err := look.New(c.Choices.Theme, c.Choices.Glyphs, c.Terminal)
	if err != nil {
		return err
	}
	c.Look = l
	return nil
}
