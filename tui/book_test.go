package tui

import (
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/tui/table"
)

// TestBook shows the moves of the book beside the engine's line, in positions that it has.
func TestBook(t *testing.T) {
	h := newHarness(t, 100, 30)
	h.app.shared.env.Book = func(p game.Position) (list []engine.Line) {
		if moves := p.Moves(nil); p.Turn() == game.First {
			for i := range 4 {
				list = append(list, engine.Line{Score: 30 - 25*i, Moves: moves[i : i+1]})
			}
		}
		return list
	}
	p := h.play("othello", nil, table.Person, table.Person, "none")
	h.press("e")
	h.until("the book", func() bool { return strings.Contains(h.screen(), "book: ") })
	legal, at := p.t.Match().Legal(), p.t.Position().Clone()
	if want := "book: " + at.Format(legal[0]) + " +0.30, " + at.Format(legal[1]) + " +0.05, " + at.Format(legal[2]) + " -0.20"; !strings.Contains(h.screen(), want) {
		t.Errorf("the screen lacks %q:\n%s", want, h.screen())
	}
	h.typed(at.Format(legal[0]))
	if strings.Contains(h.screen(), "book: ") {
		t.Errorf("the book has no move for the second side:\n%s", h.screen())
	}
}
