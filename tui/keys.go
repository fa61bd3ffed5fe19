package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"quintet/tui/paint"
)

// binding binds keys to an action. The help line, the help and the key handler all
// use the same bindings, so that no key is missing in the help.
type binding struct {
	keys  string // separated by blanks; the help line shows the first
	label string // on the help line; "" to omit it
	help  string // in the help
	run   func() tea.Cmd
}

// keyPress is the message of a click on the help line.
type keyPress string

// command adapts a function without a tea.Cmd to a binding.
func command(f func()) func() tea.Cmd {
	return func() tea.Cmd {
		f()
		return nil
	}
}

// key handles a key press on the current screen.
func (c *shared) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if c.help {
		c.helpKey(name)
		return nil
	}
	c.note = ""
	if _, typing := c.top().(*prompt); typing && name != "enter" && name != "esc" {
		return c.top().update(msg)
	}
	if cmd, ok := c.act(name); ok {
		return cmd
	}
	return c.top().update(msg)
}

// act runs the action bound to a key, if any.
func (c *shared) act(name string) (tea.Cmd, bool) {
	if name == "?" {
		c.help, c.rules, c.scroll = true, false, 0
		return nil, true
	}
	if name == "space" {
		name = "enter"
	}
	for _, b := range c.top().keys() {
		if slices.Contains(strings.Fields(b.keys), name) {
			return b.run(), true
		}
	}
	return nil, false
}

// click handles a mouse click.
func (c *shared) click(m tea.Mouse) tea.Cmd {
	if c.help {
		c.help = false
		return nil
	}
	if m.Button == tea.MouseRight {
		cmd, _ := c.act("esc")
		return cmd
	}
	c.note = ""
	switch msg := c.paint().At(m.X, m.Y).(type) {
	case nil:
	case keyPress:
		cmd, _ := c.act(string(msg))
		return cmd
	default:
		return c.top().update(msg)
	}
	return nil
}

// wheel translates the mouse wheel to the up and down keys.
func (c *shared) wheel(m tea.Mouse) tea.Cmd {
	name := map[tea.MouseButton]string{tea.MouseWheelUp: "up", tea.MouseWheelDown: "down"}[m.Button]
	if c.help {
		c.helpKey(name)
		return nil
	}
	if name == "" {
		return nil
	}
	cmd, _ := c.act(name)
	return cmd
}

// keyName returns the display name of a key.
func (c *shared) keyName(name string) string {
	names := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "enter": "Enter", "esc": "Esc", "space": "Space", "tab": "Tab", "home": "Home", "end": "End"}
	if c.signs.ASCII {
		names["up"], names["down"], names["left"], names["right"] = "Up", "Down", "Left", "Right"
	}
	if n, ok := names[name]; ok {
		return n
	}
	return name
}

// footer draws the note and the help line of a screen.
func (c *shared) footer(canvas *paint.Canvas, s screen) {
	if c.note != "" {
		style := paint.Style{FG: paint.Good, Bold: true}
		if c.noteIsError {
			style.FG = paint.Bad
		}
		canvas.Clip(1, c.h-2, c.w-2, c.signs.Text(c.note), style)
	}
	canvas.Fill(paint.Rect{X: 0, Y: c.h - 1, W: c.w, H: 1}, paint.Style{BG: paint.Bar})
	x, end := 1, c.w-lipgloss.Width("? "+c.signs.Text("keys"))-2
	for _, b := range s.keys() {
		if b.label == "" {
			continue
		}
		name := c.keyName(strings.Fields(b.keys)[0])
		label := c.signs.Text(b.label)
		if x+lipgloss.Width(name)+1+lipgloss.Width(label) > end-1 {
			break
		}
		x = c.hint(canvas, x, name, label, strings.Fields(b.keys)[0])
	}
	c.hint(canvas, end, "?", c.signs.Text("keys"), "?")
}

// hint draws a key with its label as a button.
func (c *shared) hint(canvas *paint.Canvas, x int, name, label, key string) int {
	from := x
	x = canvas.Text(x, c.h-1, name, paint.Style{FG: paint.Accent, BG: paint.Bar, Bold: true})
	x = canvas.Text(x+1, c.h-1, label, paint.Style{BG: paint.Bar})
	canvas.Zone(paint.Rect{X: from, Y: c.h - 1, W: x - from, H: 1}, keyPress(key))
	return x + 2
}

// box draws a frame with a title and returns the area inside.
func (c *shared) box(canvas *paint.Canvas, r paint.Rect, title string) paint.Rect {
	canvas.Fill(r, paint.Style{})
	canvas.Grid(r, r.W-1, r.H-1, c.signs, paint.Style{FG: paint.Dim})
	canvas.Text(r.X+2, r.Y, " "+c.signs.Text(title)+" ", paint.Style{FG: paint.Accent, Bold: true})
	return r.Inset(2, 1)
}
