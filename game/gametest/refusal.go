package gametest

import (
	"errors"
	"slices"
	"strings"

	"quintet/game"
)

// refusals checks what a position says of moves, if it does: why they are not legal,
// and nothing of those that are; and that Parse says the same.
func (w *walk) refusals(p game.Position, moves []game.Move) {
	for _, m := range moves {
		_, shifts := m.From()
		w.shifts = w.shifts || shifts
	}
	refuser, ok := p.(game.Refuser)
	if !ok || w.ply%4 != 0 && len(moves) > 1 {
		return // too slow to ask at every position
	}
	cells := len(p.Board().Cells)
	for _, m := range append(w.strays(cells), w.some(moves, 8)...) {
		why := refuser.Refusal(m)
		if legal := slices.Contains(moves, m); legal != (why == "") {
			w.Errorf("%s: of %s, legal %t, it says %q", p, m, legal, why)
		}
		if text := w.written(p, m, cells); why != "" && text != "" {
			if _, err := p.Parse(text); !errors.Is(err, game.ErrIllegal) || !strings.HasSuffix(err.Error(), why) {
				w.Errorf("%s: Parse(%q): %v, want it refused because %s", p, text, err, why)
			}
		}
	}
}

// strays returns moves of every form, most of them not legal, and some that are no
// moves at all.
func (w *walk) strays(cells int) []game.Move {
	list := []game.Move{game.Pass, 0, game.Move(w.pick.Uint64())}
	for range 8 {
		from, to := game.Cell(game.Below(w.pick, cells)), game.Cell(game.Below(w.pick, cells))
		list = append(list, game.Put(to), game.Shift(from, to))
	}
	return list
}

// written returns the notation of a move of the game's form; "" for any other.
func (w *walk) written(p game.Position, m game.Move, cells int) string {
	from, shifts := m.From()
	switch {
	case m == game.Pass:
		return game.PassText
	case shifts != w.shifts || int(from) >= cells || int(m.To()) >= cells:
		return ""
	case shifts && m == game.Shift(from, m.To()), m == game.Put(m.To()):
		return p.Format(m)
	}
	return ""
}
