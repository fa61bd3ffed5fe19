package gametest

import (
	"errors"
	"slices"
	"strings"

	"quintet/game"
)

// checkWhyIllegal checks a position's game.Explainer, if any: it gives a reason
// exactly for illegal moves, and Parse reports the same reason.
func (w *walk) checkWhyIllegal(p game.Position, moves []game.Move) {
	for _, m := range moves {
		_, shifts := m.From()
		w.hasShifts = w.hasShifts || shifts
	}
	explainer, ok := p.(game.Explainer)
	if !ok || w.ply%4 != 0 && len(moves) > 1 {
		return // too slow for every position
	}
	cells := len(p.Board().Cells)
	for _, m := range append(w.moveSamples(cells), w.pickSome(moves, 8)...) {
		why := explainer.WhyIllegal(m)
		if legal := slices.Contains(moves, m); legal != (why == "") {
			w.Errorf("%s: WhyIllegal(%s), legal %t, is %q", p, m, legal, why)
		}
		if text := w.notationOf(p, m, cells); why != "" && text != "" {
			if _, err := p.Parse(text); !errors.Is(err, game.ErrIllegal) || !strings.HasSuffix(err.Error(), why) {
				w.Errorf("%s: Parse(%q): %v, want an error with the reason %s", p, text, err, why)
			}
		}
	}
}

// moveSamples returns mostly illegal moves of every form, and invalid ones.
func (w *walk) moveSamples(cells int) []game.Move {
	list := []game.Move{game.Pass, 0, game.Move(w.pick.Uint64())}
	for range 8 {
		from, to := game.Cell(game.IntN(w.pick, cells)), game.Cell(game.IntN(w.pick, cells))
		list = append(list, game.Put(to), game.Shift(from, to))
	}
	return list
}

// notationOf returns the notation of a move of the game's form; "" for other forms.
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
