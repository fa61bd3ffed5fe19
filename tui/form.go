package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"quintet/tui/paint"
)

// form is a list of fields with a button.
type form struct {
	c      *shared
	fields []field
	at     int
}

// field is a setting of a form.
type field struct {
	name  string
	help  string
	value func() string
	step  func(by int)   // for left and right; nil if there are no values to step through
	enter func() tea.Cmd // for enter; nil to step
}

func (f *form) close() {}

// keys are the key bindings of a form.
func (f *form) keys() []binding {
	return []binding{
		{"up k", "", "one field up", command(func() { f.at = (f.at + len(f.fields) - 1) % len(f.fields) })},
		{"down j tab", "field", "one field down", command(func() { f.at = (f.at + 1) % len(f.fields) })},
		{"left h", "", "the value before", command(func() { f.move(-1) })},
		{"right l", "value", "the next value", command(func() { f.move(1) })},
		{"enter", "change", "change the value, or begin", f.enter},
		{"b", "begin", "begin at once", func() tea.Cmd { return f.fields[len(f.fields)-1].enter() }},
		{"esc q", "back", "back", command(f.c.back)},
	}
}

func (f *form) move(by int) {
	if step := f.fields[f.at].step; step != nil {
		step(by)
	}
}

func (f *form) enter() tea.Cmd {
	if enter := f.fields[f.at].enter; enter != nil {
		return enter()
	}
	f.move(1)
	return nil
}

func (f *form) update(msg tea.Msg) tea.Cmd {
	i, ok := msg.(pick)
	if !ok {
		return nil
	}
	f.at = int(i)
	return f.enter()
}

// draw draws the fields, one a line, and the help of the chosen one below.
func (f *form) draw(canvas *paint.Canvas, r paint.Rect) {
	const names = 16
	for i, fd := range f.fields {
		y := r.Y + i
		if i == len(f.fields)-1 {
			y++
		}
		value := f.c.signs.Text(fd.value())
		if fd.step != nil && i == f.at {
			value = f.c.signs.Left + " " + value + " " + f.c.signs.Right
		} else if fd.step != nil {
			value = "  " + value
		}
		f.c.line(canvas, paint.Rect{X: r.X, Y: y, W: r.W, H: 1}, paint.Pad(f.c.signs.Text(fd.name), names)+value, i == f.at, pick(i))
	}
	help := paint.Rect{X: r.X + 2, Y: r.Y + len(f.fields) + 2, W: r.W - 2, H: 4}
	wrap(canvas, help, f.c.signs.Text(f.fields[f.at].help), paint.Style{FG: paint.Dim})
}

// cycle returns the value that is by steps away in a cyclic list.
func cycle(list []string, value string, by int) string {
	at := max(slices.Index(list, value), 0)
	return list[(at+by+len(list))%len(list)]
}
