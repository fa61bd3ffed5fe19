package connect6

import "quintet/game"

// line appends the turns of a win found by find, with the first answer to each. It is
// incomplete if the search is stopped.
func (t *threats) line(s game.Side, left, turns int, list []pair) []pair {
	b := t.b
	if left == 2 && b.hot[s] > 0 {
		return append(list, b.winner(s))
	}
	p := t.winning(s, left, turns)
	if p.first == none {
		return list
	}
	b.play(s, p)
	q := t.reply(s)
	b.play(s^1, q)
	list = t.line(s, 2, turns-1, append(list, p, q))
	b.undo(s^1, q)
	b.undo(s, p)
	return list
}

// zone appends the cells that a win found by find needs: those of its turns, of the
// answers, and of the windows filled at the end. A stone of the other side elsewhere does
// not stop the win, unless it makes threats.
func (t *threats) zone(s game.Side, turns int, cells []cell) []cell {
	b := t.b
	if b.hot[s] > 0 || turns == 0 {
		return appendGaps(cells, b.gapsOf(s, &t.scratch[0].own.gaps))
	}
	p := t.winning(s, 2, turns)
	if p.first == none {
		return cells
	}
	cells = appendNew(cells, p)
	b.play(s, p)
	a := &t.scratch[0].own
	b.answer(s, a)
	if a.m == 0 {
		cells = appendGaps(cells, a.gaps[:a.open])
	} else {
		for _, q := range a.pairs[:a.m] {
			cells = appendNew(cells, q)
		}
		q := a.pairs[0]
		b.play(s^1, q)
		cells = t.zone(s, turns-1, cells)
		b.undo(s^1, q)
	}
	b.undo(s, p)
	return cells
}

func appendGaps(cells []cell, gaps []gap) []cell {
	for _, g := range gaps {
		cells = appendNew(cells, pair{g.a, g.b})
	}
	return cells
}

// appendNew appends the cells of a pair that are not in the list yet, up to its capacity.
func appendNew(cells []cell, p pair) []cell {
	for _, c := range [2]cell{p.first, p.second} {
		if c != none && !contains(cells, c) && len(cells) < cap(cells) {
			cells = append(cells, c)
		}
	}
	return cells
}

// winning returns the first turn of a win within a number of turns of threats.
func (t *threats) winning(s game.Side, left, turns int) pair {
	t.limit = t.nodes + lineBudget
	if left == 1 {
		return pair{t.winsByOne(s, turns), none}
	}
	if turns > 0 && t.wins(s, turns, 0) {
		return t.first
	}
	return pair{none, none}
}

// reply returns an answer to the threats of a side, even if none helps.
func (t *threats) reply(s game.Side) pair {
	a := &t.scratch[0].own
	t.b.answer(s, a)
	if a.m > 0 {
		return a.pairs[0]
	}
	p := pair{a.gaps[0].a, none}
	p.second = a.gaps[max(uncovered(a.gaps[:a.open], p.first, p.first), 0)].a
	return p
}

// winner returns the stones that complete six in a hot window of a side.
func (b *board) winner(s game.Side) pair {
	var gaps [mostGaps]gap
	return b.gapsOf(s, &gaps)[0].turn()
}
