package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"quintet/tui/look"
)

// helpOverlay lists all keys of a screen.
type helpOverlay struct {
	*Common
	lines []string
	top   int
	shown int
}

func newHelp(c *Common, s Screen) *helpOverlay {
	h := &helpOverlay{Common: c}
	acts := append(s.Actions(),
		Action{Keys: []string{"?"}, Long: "show these keys"},
		Action{Keys: []string{"ctrl+c"}, Long: "leave the program; the game is kept"})
	width := 0
	for _, a := range acts {
		width = max(width, ansi.StringWidth(h.keys(a)))
	}
	for _, a := range acts {
		h.lines = append(h.lines, "  "+c.Look.Paint(look.Key, pad(h.keys(a), width))+"  "+c.Look.Paint(look.Plain, a.Long))
	}
	return h
}

// keys names all keys of an action.
func (h *helpOverlay) keys(a Action) string {
	if a.Label != "" {
		return a.Label
	}
	return strings.Join(a.Keys, " ")
}

// key scrolls, and reports false for a key that closes the help.
func (h *helpOverlay) key(key string) bool {
	switch key {
	case "down", "j":
		h.top = min(h.top+1, max(len(h.lines)-h.shown, 0))
	case "up", "k":
		h.top = max(h.top-1, 0)
	default:
		return false
	}
	return true
}

// View returns the list.
func (h *helpOverlay) View(_, height int) string {
	h.shown = height - 4
	h.top = min(h.top, max(len(h.lines)-h.shown, 0))
	lines := h.lines[h.top:]
	more := h.Look.Paint(look.Dim, "  any other key closes this")
	if len(lines) > h.shown {
		lines = lines[:h.shown]
		more = h.Look.Paint(look.Dim, "  down shows more, any other key closes this")
	}
	return "\n" + h.Look.Paint(look.Accent, "  Keys") + "\n" + strings.Join(lines, "\n") + "\n\n" + more
}
