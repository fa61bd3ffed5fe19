package live

import "quintet/game"

// A player of an arena may go berserk before the first move: with half the time, and without increment and delay. The
// arena pays one more point for a win in which the player has made BerserkMoves moves, so that a quick resignation of
// the opponent pays nothing extra.

// BerserkMoves is how many turns the winner must have made for the point of berserk.
const BerserkMoves = 7

// goBerserk halves the time of a side. What it has used of its turn is charged before. If it is on turn, what is left
// of the delay ends.
func (c *clock) goBerserk(s, turn game.Side) {
	c.left[s] /= 2
	if s == turn {
		c.free -= min(c.free, c.control.Delay*1000) // the rest is the pause after an engine's move
	}
	c.berserk[s] = true
}

func (t *Table) decideBerserk(c Command, e *Event) error {
	if !t.settings.Berserk || t.clock.berserk[c.Side] || t.lastPlyOf(c.Side) >= 0 {
		return t.refuseAs(CodeNothing, "berserk", "berserk is possible once, before your first move, in an arena that allows it")
	}
	e.Kind = Berserked
	return nil
}

// WentBerserk reports whether a side plays with less time.
func (t *Table) WentBerserk(s game.Side) bool { return t.clock.berserk[s] }

// BerserkPays reports whether a win of a side pays the point of berserk.
func (t *Table) BerserkPays(s game.Side) bool {
	if !t.clock.berserk[s] {
		return false
	}
	n, last := 0, s.Other()
	for p := range t.match.Replay() {
		if p.Turn() == s && last != s {
			n++
		}
		last = p.Turn()
	}
	return n >= BerserkMoves
}
