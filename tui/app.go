// Package tui is the terminal program: play against engines and people, review games,
// and watch engines play. It works for every game: it draws boards (package board) of
// tables (package table).
//
// Start with [New]. The program is one Bubble Tea model: an [App] with a stack of
// screens. All screens share one state: size, theme, signs and last choices. Engines
// run in goroutines and send calls (see job), so that the interface never blocks.
// Every move is saved to disk at once (package store).
package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/internal/lang"
	"quintet/review/stored"
	"quintet/tui/paint"
	"quintet/tui/store"
)

// Env is the environment of the program.
type Env struct {
	Store    store.Store
	Games    []game.Game // in the order of the menu
	Now      func() time.Time
	Seed     func() uint64
	Player   func(ctx context.Context, name string, g game.Game) (engine.Player, error)
	Searcher func(game.Game) (engine.Searcher, error)
	Rules    func(game.Game) (string, error)                               // rules of a game, one line per paragraph
	Book     func(game.Position) []engine.Line                             // lines of the opening book, best first
	Review   func(ctx context.Context, url string) (*stored.Review, error) // a review of a server
	Language *lang.Language                                                // of the screens; nil is English
	ASCII    bool                                                          // the terminal shows only ASCII
	Plain    bool                                                          // the terminal shows no colours
	Pace     time.Duration                                                 // minimum time of a move when no person plays
}

// The smallest terminal in which all screens can be used.
const (
	minWidth  = 64
	minHeight = 20
)

// screen is a full-screen view.
type screen interface {
	title() string
	keys() []binding
	update(tea.Msg) tea.Cmd // clicks, pasted text and keys other than those in keys
	draw(*paint.Canvas, paint.Rect)
	close()
}

// dialog marks screens that are drawn above the previous one.
type dialog interface{ dialog() }

// shared is the state that all screens share.
type shared struct {
	env         Env
	ctx         context.Context
	jobs        sync.WaitGroup // background jobs
	w, h        int
	dark        bool
	theme       *paint.Theme
	signs       *paint.Signs
	choices     store.Choices
	stack       []screen
	help        bool
	rules       bool // the help shows the rules
	scroll      int  // of the help
	note        string
	noteIsError bool // the note is an error
}

// App is the program's model for Bubble Tea.
type App struct {
	shared *shared
	first  tea.Cmd // initial command of the screen that Start opened
}

// New returns a program with the home screen. Its goroutines end with the context;
// Wait waits for them.
func New(ctx context.Context, env Env) *App {
	c := &shared{env: env, ctx: ctx, dark: true, w: 80, h: 24}
	var err error
	c.choices, err = env.Store.Choices()
	c.applyTheme()
	c.stack = []screen{newHome(c)}
	c.notifyError(err)
	return &App{shared: c}
}

// Wait closes all screens and waits for background jobs.
func (a *App) Wait() {
	for _, s := range a.shared.stack {
		s.close()
	}
	a.shared.jobs.Wait()
}

// applyTheme sets up the chosen theme and signs.
func (c *shared) applyTheme() {
	name := c.choices.Theme
	if c.env.Plain {
		name = "none"
	}
	c.theme = paint.NewTheme(name, c.dark)
	c.signs = paint.UnicodeSigns()
	if c.choices.Signs == "ascii" || c.choices.Signs != "unicode" && c.env.ASCII {
		c.signs = paint.ASCIISigns()
	}
	c.signs.Translate = c.env.Language.Sentence
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd { return tea.Batch(tea.RequestBackgroundColor, a.first) }

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	c := a.shared
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.w, c.h = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		c.dark = msg.IsDark()
		c.applyTheme()
	case tea.KeyPressMsg:
		return a, c.key(msg)
	case tea.MouseClickMsg:
		return a, c.click(msg.Mouse())
	case tea.MouseWheelMsg:
		return a, c.wheel(msg.Mouse())
	case tea.PasteMsg:
		return a, c.top().update(msg)
	case call:
		return a, msg()
	}
	return a, nil
}

func (c *shared) top() screen { return c.stack[len(c.stack)-1] }

// open pushes a screen.
func (c *shared) open(s screen) tea.Cmd {
	c.stack = append(c.stack, s)
	return nil
}

// back pops the top screen, except the first.
func (c *shared) back() {
	if len(c.stack) > 1 {
		c.top().close()
		c.stack = c.stack[:len(c.stack)-1]
	}
}

// home closes all screens but the first, which refreshes.
func (c *shared) home() {
	for len(c.stack) > 1 {
		c.back()
	}
	c.top().close()
	c.stack[0] = newHome(c)
}

// notify shows a note above the help line until the next key. It returns no command, for
// actions that end with it, like notifyError and the functions that open dialogs.
func (c *shared) notify(format string, values ...any) tea.Cmd {
	c.note, c.noteIsError = fmt.Sprintf(format, values...), false
	return nil
}

// notifyError shows an error as a note, if not nil.
func (c *shared) notifyError(err error) tea.Cmd {
	if err != nil {
		c.note, c.noteIsError = err.Error(), true
	}
	return nil
}

// remember saves the choices.
func (c *shared) remember() { c.notifyError(c.env.Store.Remember(c.choices)) }

// View implements tea.Model.
func (a *App) View() tea.View {
	c := a.shared
	v := tea.NewView(c.paint().Render(c.theme))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.BackgroundColor = c.theme.Colour(paint.Ground)
	v.WindowTitle = "Quintet"
	return v
}

// paint draws the screens.
func (c *shared) paint() *paint.Canvas {
	canvas := paint.New(c.w, c.h)
	if c.w < minWidth || c.h < minHeight {
		c.tooSmall(canvas)
		return canvas
	}
	first := len(c.stack) - 1
	for _, above := c.stack[first].(dialog); above && first > 0; _, above = c.stack[first].(dialog) {
		first--
	}
	for i, s := range c.stack[first:] {
		if i > 0 {
			canvas.ClearZones()
		}
		if i == 0 {
			c.frame(canvas, s)
		}
		s.draw(canvas, paint.Rect{X: 0, Y: 1, W: c.w, H: c.h - 3})
	}
	c.footer(canvas, c.top())
	if c.help {
		canvas.ClearZones()
		c.drawHelp(canvas)
	}
	return canvas
}

func (c *shared) tooSmall(canvas *paint.Canvas) {
	lines := []string{
		"This window is too small.",
		fmt.Sprintf("It has %d columns and %d rows;", c.w, c.h),
		fmt.Sprintf("Quintet wants %d and %d.", minWidth, minHeight),
		"Nothing is lost: make it larger.",
	}
	for i, line := range lines {
		canvas.Center(canvas.Whole(), max((c.h-len(lines))/2, 0)+i, c.signs.Text(line), paint.Style{})
	}
}

// frame draws the title line.
func (c *shared) frame(canvas *paint.Canvas, s screen) {
	bar := paint.Style{BG: paint.Bar, Bold: true}
	canvas.Fill(paint.Rect{X: 0, Y: 0, W: c.w, H: 1}, bar)
	canvas.Text(1, 0, "Quintet", paint.Style{FG: paint.Accent, BG: paint.Bar, Bold: true})
	canvas.Text(10, 0, c.signs.Text(s.title()), bar)
}
