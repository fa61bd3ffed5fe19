package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"quintet/game"
	"quintet/games"
	"quintet/tui/sitting"
)

// slow are the keys that set an engine to work, which has tests of its own.
const slow = "e v i a A x"

// TestAnyKeys presses any keys and clicks anywhere, on any screen of any size: it
// must not panic, and every screen must have the size of the terminal.
func TestAnyKeys(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := rapid.SampledFrom(games.All()).Draw(r, "game")
		setup := game.Setup{}
		if o, ok := g.Option("size"); ok {
			setup["size"] = rapid.SampledFrom([]string{o.Default, "4", "26"}).Draw(r, "size")
		}
		d := newDriver(t, func(o *Options) {
			o.Begin = &Choice{Game: g.Name, Setup: setup, Seats: [2]string{sitting.Person, sitting.Person}, Clock: "5+3", MoveTime: "1s"}
		})
		for range rapid.IntRange(1, 25).Draw(r, "actions") {
			d.anything(r)
			checkSize(r, d)
		}
	})
}

// anything presses a key of the screen or another one, clicks, or changes the
// size of the terminal.
func (d *driver) anything(r *rapid.T) {
	switch rapid.IntRange(0, 9).Draw(r, "what") {
	case 0:
		d.size(rapid.IntRange(0, 130).Draw(r, "w"), rapid.IntRange(0, 45).Draw(r, "h"))
	case 1, 2:
		y := rapid.IntRange(0, 45).Draw(r, "y")
		if y != d.app.Height-1 { // the help line has the keys that are slow
			d.send(tea.MouseClickMsg{X: rapid.IntRange(0, 130).Draw(r, "x"), Y: y, Button: tea.MouseLeft})
		}
	case 3:
		d.send(tea.MouseWheelMsg{Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}).Draw(r, "wheel")})
	case 4:
		d.send(tea.PasteMsg{Content: rapid.String().Draw(r, "paste")})
	case 5:
		d.keys("tab")
		d.keys("enter")
	default:
		var keys []string
		for _, a := range d.app.top().Actions() {
			keys = append(keys, a.Keys...)
		}
		keys = append(keys, "?", "z", "backspace", "3")
		key := rapid.SampledFrom(keys).Draw(r, "key")
		if !strings.Contains(slow, key) {
			d.keys(key)
		}
	}
	if p, ok := d.app.top().(*play); ok {
		p.sit.Terms.Seats = [2]string{sitting.Person, sitting.Person} // an engine would play the game to its end here
		p.seats = [2]*seat{}
	}
	if s, ok := d.app.top().(*setup); ok {
		s.choice.Seats = [2]string{sitting.Person, sitting.Person}
	}
}

func checkSize(r *rapid.T, d *driver) {
	lines := strings.Split(d.app.render(), "\n")
	if len(lines) != max(d.app.Height, 1) {
		r.Fatalf("%d lines, want %d", len(lines), d.app.Height)
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > d.app.Width {
			r.Fatalf("%d columns, want at most %d: %q", w, d.app.Width, ansi.Strip(line))
		}
	}
}
