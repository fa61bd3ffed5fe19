package tui

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"quintet/bots"
	"quintet/game"
	"quintet/tui/store"
)

// driver is the program without a terminal: messages go in one after the other,
// and all that they set off is done before the next.
type driver struct {
	t   testing.TB
	app *App
	now time.Time
}

func newDriver(t testing.TB, change func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	env := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}
	o := Options{
		Players: func(_ context.Context, name string, g game.Game) (Player, error) {
			return bots.NewPlayer(name, g, bots.Options{})
		},
		Known: func(name string) error {
			if name == "random" || strings.HasPrefix(name, "level:") {
				return nil
			}
			return fmt.Errorf("player %q: want random or a level", name)
		},
		Store: store.In(t.TempDir()), Env: func(name string) string { return env[name] },
		Now: func() time.Time { return d.now }, Seed: 1,
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c, err := newCommon(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	c.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	d.app = newApp(c)
	if err := d.app.begin(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		d.app.close()
		c.tasks.wait()
	})
	for _, cmd := range d.app.first {
		d.run(cmd)
	}
	return d
}

// run does what a command says, and what follows from it.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	default:
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range v.Len() { // what tea.Sequence sends has no name
				d.run(v.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		d.send(msg)
	}
}

func (d *driver) send(msg tea.Msg) {
	_, cmd := d.app.Update(msg)
	d.run(cmd)
}

// keys presses keys, named as Bubble Tea names them, separated by blanks.
func (d *driver) keys(names string) {
	d.t.Helper()
	for name := range strings.FieldsSeq(names) {
		d.send(press(name))
	}
}

// press is the message of a key.
func press(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// typed types text and presses enter.
func (d *driver) typed(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.keys("enter")
}

// moves plays moves by typing them.
func (d *driver) moves(text string) {
	d.t.Helper()
	for word := range strings.FieldsSeq(text) {
		d.keys("t")
		d.typed(word)
		if p := d.play(); p.bad {
			d.t.Fatalf("move %s: %s", word, p.message)
		}
	}
}

// play is the board that is shown, or is below what is shown.
func (d *driver) play() *play {
	d.t.Helper()
	for i := len(d.app.stack) - 1; i >= 0; i-- {
		if p, ok := d.app.stack[i].(*play); ok {
			return p
		}
	}
	d.t.Fatalf("no game is shown, but\n%s", d.text())
	return nil
}

func (d *driver) size(w, h int) { d.send(tea.WindowSizeMsg{Width: w, Height: h}) }

// text is what is shown, without colours.
func (d *driver) text() string { return ansi.Strip(d.app.render()) }

// wants fails if a text is not shown.
func (d *driver) wants(text string) {
	d.t.Helper()
	if !strings.Contains(d.text(), text) {
		d.t.Errorf("%q is not shown in\n%s", text, d.text())
	}
}
