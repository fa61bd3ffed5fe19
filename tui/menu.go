package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/tui/look"
)

// entry is a line of a menu.
type entry struct {
	key   string // that chooses it; "" for none
	text  string
	about string // beside it
	do    func() tea.Cmd
}

// menu is a list from which one entry is chosen, by arrows, key or mouse.
type menu struct {
	entries []entry
	at      int
	top     int // the first one shown
	row     int // of the screen in which the first one is shown
	height  int // how many are shown
}

// actions are the keys of a menu; those of its entries come last.
func (m *menu) actions() []Action {
	list := []Action{
		{Keys: []string{"down", "j"}, Label: "up/down", Short: "choose", Long: "go to another entry (k and j, too)", Do: m.mover(1)},
		{Keys: []string{"up", "k"}, Label: "up", Long: "go to the entry above", Do: m.mover(-1)},
		{Keys: []string{"pgdown"}, Long: "go down a page", Do: m.mover(8)},
		{Keys: []string{"pgup"}, Long: "go up a page", Do: m.mover(-8)},
		{Keys: []string{"enter", "space"}, Label: "enter", Short: "open", Long: "open the entry", Do: m.open},
	}
	seen := map[string]bool{}
	for _, e := range m.entries {
		if e.key != "" && !seen[e.key] {
			seen[e.key] = true
			list = append(list, Action{Keys: []string{e.key}, Long: e.text, Do: m.chooser(e.key)})
		}
	}
	return list
}

func (m *menu) mover(by int) func() tea.Cmd {
	return func() tea.Cmd {
		m.at = max(0, min(m.at+by, len(m.entries)-1))
		return nil
	}
}

func (m *menu) open() tea.Cmd {
	if m.at >= len(m.entries) {
		return nil
	}
	return m.entries[m.at].do()
}

// chooser goes to the next entry of a key, and opens it if it is the only one.
func (m *menu) chooser(key string) func() tea.Cmd {
	return func() tea.Cmd {
		var found []int
		for i, e := range m.entries {
			if e.key == key {
				found = append(found, i)
			}
		}
		if len(found) == 1 {
			m.at = found[0]
			return m.open()
		}
		for _, i := range append(found, found...) {
			if i > m.at {
				m.at = i
				return nil
			}
		}
		m.at = found[0]
		return nil
	}
}

// mouse chooses and opens the entry that is clicked.
func (m *menu) mouse(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		i := msg.Y - m.row + m.top
		if msg.Y >= m.row && msg.Y < m.row+m.height && i < len(m.entries) {
			m.at = i
			return m.open()
		}
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			return m.mover(-1)()
		}
		return m.mover(1)()
	}
	return nil
}

// view draws the entries from a row of the screen on, in so many lines.
func (m *menu) view(l look.Look, row, height int) string {
	m.row, m.height = row, height
	m.top = max(min(m.top, m.at), m.at-height+1)
	m.top = max(0, min(m.top, len(m.entries)-height))
	width := 0
	for _, e := range m.entries {
		width = max(width, len([]rune(e.text)))
	}
	var lines []string
	for i := m.top; i < min(len(m.entries), m.top+height); i++ {
		lines = append(lines, m.entries[i].view(l, width, i == m.at))
	}
	return strings.Join(lines, "\n")
}

func (e entry) view(l look.Look, width int, chosen bool) string {
	key := " "
	if e.key != "" {
		key = e.key
	}
	role, pointer := look.Plain, " "
	if chosen {
		role, pointer = look.Accent, l.Glyphs.Pointer
	}
	return "  " + l.Paint(look.Accent, pointer) + " " + l.Paint(look.Key, key) + "  " + l.Paint(role, pad(e.text, width)) + "   " + l.Paint(look.Dim, e.about)
}
