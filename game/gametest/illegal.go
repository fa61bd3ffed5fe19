package gametest

import (
	"errors"
	"slices"
	"strings"

	"quintet/game"
)

// checkWhyIllegal checks what a position says of moves, if it does: why they are not legal,
// and nothing of those that are; and that Parse says the same.
func (w *walk) checkWhyIllegal(p game.Position, moves []game.Move) {
	for _, m := range moves {
		_, shifts := m.From()
		w.hasShifts = w.hasShifts || shifts
	}
	refuser, ok := p.(game.Explainer)
	if !ok || w.ply%4 != 0 && len(moves) > 1 {
		return // too slow to ask at every position
	}
	cells := len(p.Board().Cells)
	for _, m := range append(w.moveSamples(cells), w.pickSome(moves, 8)...) {
		why := refuser.WhyIllegal(m)
		if legal := slices.Contains(moves, m); legal != (why == "") {
			w.Errorf("%s: of %s, legal %t, it says %q", p, m, legal, why)
		}
		if text := w.notationOf(p, m, cells); why != "" && text != "" {
			if _, err := p.Parse(text); !errors.Is(err, game.ErrIllegal) || !strings.HasSuffix(err.Error(), why) {
				w.Errorf("%s: Parse(%q): %v, want it refused because %s", p, text, err, why)
			}
		}
	}
}

// moveSamples returns moves of every form, most of them not legal, and some that are no
// moves at all.
func (w *walk) moveSamples(cells int) []game.Move {
	list := []game.Move{game.Pass, 0, game.Move(w.pick.Uint64())}
	for range 8 {
		from, to := game.Cell(game.IntN(w.pick, cells)), game.Cell(game.IntN(w.pick, cells))
		list = append(list, game.Put(to), game.Shift(from, to))
	}
	return list
}

// notationOf returns the notation of a move of the game's form; "" for any other.
func (w *walk) notationOf(p game.Position, m game.Move, cells int) string {
	from, shifts := m.From()
	switch {
	case m == game.Pass:
		return game.PassText
	case shifts != w.hasShifts || int(from) >= cells || int(m.To()) >= cells:
		return ""
	case shifts && m == game.Shift(from, m.To()), m == game.Put(m.To()):
		return p.Format(m)
	}
	return ""
}
