package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"quintet/tui/paint"
)

// overlay is what dialogs have in common: no title of their own, and nothing to end.
type overlay struct{}

func (overlay) dialog()       {}
func (overlay) close()        {}
func (overlay) title() string { return "" }

// question is a yes-or-no dialog.
type question struct {
	overlay
	c    *shared
	text string
	yes  func() tea.Cmd
}

// openQuestion opens a yes-or-no dialog.
func (c *shared) openQuestion(text string, yes func() tea.Cmd) tea.Cmd {
	return c.open(&question{c: c, text: text, yes: yes})
}

func (q *question) update(tea.Msg) tea.Cmd { return nil }

func (q *question) keys() []binding {
	return []binding{
		{"y Y enter", "yes", "yes", func() tea.Cmd { q.c.back(); return q.yes() }},
		{"n N esc q", "no", "no", command(q.c.back)},
	}
}

func (q *question) draw(canvas *paint.Canvas, r paint.Rect) {
	text := q.c.signs.Text(q.text)
	w := min(max(lipgloss.Width(text)+6, 30), r.W-4)
	in := q.c.box(canvas, middle(r, w, 6), "Please answer")
	canvas.Clip(in.X, in.Y+1, in.W, text, paint.Style{Bold: true})
	x := in.X
	for _, b := range [][2]string{{"y", "yes"}, {"n", "no"}} {
		end := canvas.Text(x, in.Y+3, " "+b[0]+" "+q.c.signs.Text(b[1])+" ", paint.Style{BG: paint.Chosen, Bold: true})
		canvas.Zone(paint.Rect{X: x, Y: in.Y + 3, W: end - x, H: 1}, keyPress(b[0]))
		x = end + 2
	}
}

// middle returns an area of the size centered in r.
func middle(r paint.Rect, w, h int) paint.Rect {
	return paint.Rect{X: r.X + (r.W-w)/2, Y: r.Y + max((r.H-h)/2, 0), W: w, H: min(h, r.H)}
}

// prompt is a dialog with a text field.
type prompt struct {
	overlay
	c      *shared
	name   string
	hint   string
	field  textinput.Model
	accept func(text string) (tea.Cmd, error) // an error keeps the prompt open
	err    error
}

// openPrompt opens a prompt with an initial text.
func (c *shared) openPrompt(name, hint, text string, accept func(string) (tea.Cmd, error)) tea.Cmd {
	p := &prompt{c: c, name: name, hint: hint, field: textinput.New(), accept: accept}
	p.field.SetValue(text)
	p.field.CharLimit = 4000
	_ = p.field.Focus() // drop the command: it blinks the field's own cursor, which is not used
	return c.open(p)
}

func (p *prompt) keys() []binding {
	return []binding{
		{"enter", "done", "take the text", p.done},
		{"esc", "cancel", "leave it as it was", command(p.c.back)},
	}
}

func (p *prompt) done() tea.Cmd {
	p.c.back()
	cmd, err := p.accept(strings.TrimSpace(p.field.Value()))
	if p.err = err; err != nil {
		p.c.open(p)
	}
	return cmd
}

func (p *prompt) update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		p.err = nil
		p.field, _ = p.field.Update(msg)
	}
	return nil
}

func (p *prompt) draw(canvas *paint.Canvas, r paint.Rect) {
	in := p.c.box(canvas, middle(r, min(64, r.W-4), 9), p.name)
	wrap(canvas, paint.Rect{X: in.X, Y: in.Y, W: in.W, H: 2}, p.c.signs.Text(p.hint), paint.Style{FG: paint.Dim})
	drawField(canvas, paint.Rect{X: in.X, Y: in.Y + 3, W: in.W, H: 1}, p.field.Value(), p.field.Position())
	if p.err != nil {
		wrap(canvas, paint.Rect{X: in.X, Y: in.Y + 4, W: in.W, H: 3}, p.c.signs.Text(p.err.Error()), paint.Style{FG: paint.Bad, Bold: true})
	}
}

// drawField draws a text field and keeps its cursor visible.
func drawField(canvas *paint.Canvas, r paint.Rect, text string, at int) {
	style := paint.Style{BG: paint.Chosen}
	canvas.Fill(r, style)
	runes := append([]rune(text), ' ')
	first := max(at-r.W+1, 0)
	canvas.Clip(r.X, r.Y, r.W, string(runes[first:]), style)
	style.Reverse = true
	canvas.Text(r.X+lipgloss.Width(string(runes[first:at])), r.Y, string(runes[at]), style)
}

// menu is a dialog with a list of choices.
type menu struct {
	overlay
	c     *shared
	name  string
	items []item
	at    int
}

type item struct {
	text string
	run  func() tea.Cmd
}

// openMenu opens a menu.
func (c *shared) openMenu(name string, items []item) tea.Cmd {
	return c.open(&menu{c: c, name: name, items: items})
}

func (m *menu) keys() []binding {
	return []binding{
		{"up k", "", "one up", command(func() { m.at = (m.at + len(m.items) - 1) % len(m.items) })},
		{"down j", "", "one down", command(func() { m.at = (m.at + 1) % len(m.items) })},
		{"enter", "choose", "take this one", m.take},
		{"esc q", "cancel", "leave it as it was", command(m.c.back)},
	}
}

func (m *menu) take() tea.Cmd {
	m.c.back()
	return m.items[m.at].run()
}

func (m *menu) update(msg tea.Msg) tea.Cmd {
	if i, ok := msg.(pick); ok {
		m.at = int(i)
		return m.take()
	}
	return nil
}

// pick is the message of a click on a line of a list.
type pick int

func (m *menu) draw(canvas *paint.Canvas, r paint.Rect) {
	w := lipgloss.Width(m.c.signs.Text(m.name)) + 8
	for _, i := range m.items {
		w = max(w, lipgloss.Width(m.c.signs.Text(i.text))+8)
	}
	in := m.c.box(canvas, middle(r, min(w, r.W-4), len(m.items)+2), m.name)
	first, shown := paint.Span(len(m.items), in.H, m.at)
	for i := first; i < first+shown; i++ {
		m.c.line(canvas, paint.Rect{X: in.X, Y: in.Y + i - first, W: in.W, H: 1}, m.items[i].text, i == m.at, pick(i))
	}
}

// line draws a line of a list. The chosen one also has an arrow.
func (c *shared) line(canvas *paint.Canvas, r paint.Rect, text string, chosen bool, msg any) {
	style, arrow := paint.Style{}, " "
	if chosen {
		style, arrow = paint.Style{BG: paint.Chosen, Bold: true}, c.signs.Arrow
	}
	canvas.Fill(r, style)
	canvas.Text(r.X, r.Y, arrow, style)
	canvas.Clip(r.X+2, r.Y, r.W-2, c.signs.Text(text), style)
	canvas.Zone(r, msg)
}
