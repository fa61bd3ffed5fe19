package tui

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/tui/board"
	"quintet/tui/store"
	"quintet/tui/table"
	"quintet/web"
)

// noon is what the clock says in tests.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// harness runs the program without a terminal, as Bubble Tea would: commands run
// in goroutines, and their messages come back one after the other.
type harness struct {
	*testing.T
	app  *App
	now  time.Time
	msgs chan tea.Msg
	stop context.CancelFunc
}

// oracle is a player and a search that knows the answer: the first legal move.
type oracle struct{ fail error }

func (oracle) NewGame(uint64) {}
func (oracle) Close() error   { return nil }
func (oracle) Reset()         {}

func (o oracle) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	if o.fail != nil {
		return 0, o.fail
	}
	return m.Legal()[0], nil
}

// Search says that moves are worth the less the later they come, and positions the more the
// more moves they have.
func (oracle) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	moves := p.Moves(nil)
	for i, m := range moves {
		if !slices.Contains(p.Skip, m) {
			return engine.Line{Score: 140 + 100*(len(moves)-4) - 105*i, Depth: 7, Nodes: 1000, Moves: []game.Move{m}}
		}
	}
	return engine.Line{}
}

// stuck is a player that searches until it is cancelled.
type stuck struct{ oracle }

func (stuck) Choose(ctx context.Context, _ *game.Match, _ engine.Limit) (game.Move, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// menuGames is the list of games on the screens of the tests: another game, or another
// order of games.All, changes no picture.
func menuGames(t *testing.T) (list []game.Game) {
	t.Helper()
	for _, name := range menuNames() {
		g, err := games.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	return list
}

func menuNames() []string { return []string{"neighbors", "othello", "loa", "connect6", "chess"} }

func newHarness(t *testing.T, width, height int) *harness {
	t.Helper()
	return newHarnessOf(t, width, height, func(context.Context, string, game.Game) (engine.Player, error) { return oracle{}, nil },
		func(game.Game) (engine.Searcher, error) { return oracle{}, nil })
}

// newHarnessOf is newHarness with other engines.
func newHarnessOf(t *testing.T, width, height int, player func(context.Context, string, game.Game) (engine.Player, error), search func(game.Game) (engine.Searcher, error)) *harness {
	t.Helper()
	home := t.TempDir()
	h := &harness{T: t, now: noon, msgs: make(chan tea.Msg, 100)}
	env := Env{
		Games: menuGames(t),
		Store: store.Open(func(name string) string { return map[string]string{"HOME": home}[name] }),
		Now:   func() time.Time { return h.now }, Seed: func() uint64 { return 1 },
		Player: func(ctx context.Context, name string, g game.Game) (engine.Player, error) {
			switch name {
			case "ugi:broken":
				return oracle{fmt.Errorf("it has crashed")}, nil
			case "ugi:resigns":
				return oracle{fmt.Errorf("%q: %w", "resign", game.ErrResigned)}, nil
			case "ugi:stuck":
				return stuck{}, nil
			}
			return player(ctx, name, g)
		},
		Searcher: search, Rules: web.Rules, Book: func(game.Position) []engine.Line { return nil },
	}
	ctx, stop := context.WithCancel(t.Context())
	h.app, h.stop = New(ctx, env), stop
	t.Cleanup(func() {
		stop()
		h.app.Wait()
	})
	h.send(tea.WindowSizeMsg{Width: width, Height: height})
	return h
}

// send gives the program a message, and lets its commands run.
func (h *harness) send(msg tea.Msg) {
	_, cmd := h.app.Update(msg)
	h.run(cmd)
}

func (h *harness) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				h.run(c)
			}
		default:
			h.msgs <- msg
		}
	}()
}

// until lets time pass until something is so.
func (h *harness) until(what string, so func() bool) {
	h.Helper()
	end := time.After(time.Minute) // for a machine that is busy: only a fault waits so long
	for !so() {
		select {
		case msg := <-h.msgs:
			h.send(msg)
		case <-end:
			h.Fatalf("%s: not in a minute; the screen is\n%s", what, h.screen())
		}
	}
}

// press presses keys, named as Bubble Tea names them.
func (h *harness) press(keys ...string) {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"backspace": tea.KeyBackspace, "tab": tea.KeyTab, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	for _, name := range keys {
		if code, ok := codes[name]; ok {
			h.send(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range name {
			h.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// play opens a game.
func (h *harness) play(name string, setup game.Setup, first, second, clock string) *play {
	h.Helper()
	g, err := games.ByName(name)
	if err != nil {
		h.Fatal(err)
	}
	control, err := table.ParseControl(clock)
	if err != nil {
		h.Fatal(err)
	}
	t, err := table.New(g, g.NewSetup(setup), [2]string{first, second}, control)
	if err != nil {
		h.Fatal(err)
	}
	h.app.Start(t)
	h.run(h.app.first)
	return h.app.shared.top().(*play)
}

// moves types moves, each after the other side's.
func (h *harness) moves(p *play, words ...string) {
	h.Helper()
	for _, w := range words {
		h.press(":", w, "enter")
		if top := h.app.shared.top(); top != screen(p) {
			h.Fatalf("%s was not taken:\n%s", w, h.screen())
		}
		h.until("the answer", func() bool { return p.thinks == nil })
	}
}

// middling types n moves, always the middle one of the legal moves.
func (h *harness) middling(p *play, n int) {
	h.Helper()
	for range n {
		m := p.t.Match()
		legal := m.Legal()
		h.moves(p, m.Position().Format(legal[len(legal)/2]))
	}
}

// click clicks on a cell of the board.
func (h *harness) click(c game.Cell) {
	h.Helper()
	canvas := h.app.shared.paint()
	for y := range canvas.H {
		for x := range canvas.W {
			if canvas.At(x, y) == any(board.Click{Cell: c}) {
				h.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
				return
			}
		}
	}
	h.Fatalf("cell %d is not on the screen:\n%s", c, h.screen())
}

func (h *harness) screen() string { return h.app.shared.paint().Plain() }
