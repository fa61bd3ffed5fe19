package connect6

import (
	"quintet/game"
)

// Limits of the threat search.
const (
	maxThreatTurns = 24 // maximum depth in turns
	maxForcing     = 48 // strongest turns tried in a position
	lineBudget     = 1_000_000
)

// threats searches for forced wins: sequences of turns that each make threats that need
// both stones to answer, until one cannot be answered. It considers every answer, so a win
// that it finds is proved.
//
// If there are several answers, it first gives the other side all of them at once: extra
// stones never hurt a side, so a win against all is a win against each. Only if that fails
// does it try them one by one.
type threats struct {
	b       *board
	nodes   uint64
	limit   uint64 // node limit; the search fails when it is reached
	most    uint64 // upper bound of limit
	halt    func() bool
	table   threatTable
	first   pair // the turn with which wins won, at ply 0
	cut     bool // whether more turns might change a failure of wins
	scratch [maxThreatTurns + 1]threatScratch

	lines lineCache

	// Scratch of list.
	class  [maxCells]uint8 // threats made by a stone here
	single [maxCells]cell  // cells with a nonzero class
	weight [maxCells]int32 // gain of a stone on them
}

// threatScratch is the scratch memory of a ply.
type threatScratch struct {
	pairList         // of at most maxForcing turns
	own      answers // answers of the other side to the threats made
	must     answers // answers to the threats of the other side
}

func newThreats(b *board, table threatTable) *threats {
	return &threats{b: b, most: ^uint64(0), table: table}
}

// clear clears the table.
func (t *threats) clear() { clear(t.table) }

// find looks for a win of the side to move within a number of turns of threats and a limit
// of nodes; left is the number of stones in the first turn. It returns the number of turns,
// without the winning last one, or -1.
func (t *threats) find(s game.Side, left, turns int, limit uint64) int {
	t.limit = t.nodes + limit
	for depth := range min(turns, maxThreatTurns) + 1 {
		t.cut = left == 1 && depth == 0
		if left == 2 && t.wins(s, depth, 0) || left == 1 && depth > 0 && t.winsByOne(s, depth) != none {
			return depth
		}
		if !t.cut || t.over() {
			break
		}
	}
	return -1
}

// winsByOne returns a single stone that starts a win by threats, or none.
func (t *threats) winsByOne(s game.Side, depth int) cell {
	n := t.classify(s)
	var list [maxCells]cell
	copy(list[:], t.single[:n])
	keep := 0
	for _, c := range list[:n] {
		if t.class[c] >= 2 || t.b.hot[s] > 0 {
			list[keep] = c
			keep++
		}
		t.class[c] = 0
	}
	for _, c := range list[:keep] {
		if t.forces(s, depth, 0, pair{c, none}) {
			return c
		}
	}
	return none
}

func (t *threats) over() bool {
	return t.nodes >= min(t.limit, t.most) || t.nodes&63 == 0 && t.halt != nil && t.halt()
}

// sideKey returns the hash key of the side to move.
func sideKey(s game.Side) uint64 { return uint64(s) * 0xd6e8feb86659fd93 }

// wins reports whether a side with two stones to place wins within depth turns of threats.
func (t *threats) wins(s game.Side, depth, ply int) bool {
	if t.over() {
		t.cut = true
		return false
	}
	t.nodes++
	if depth == 0 || t.b.hot[s] > 0 {
		t.cut = true
		return t.b.hot[s] > 0
	}
	key := t.b.key ^ sideKey(s)
	switch entry := t.table.get(key); {
	case entry.won > 0 && entry.won <= depth:
		t.remember(ply, entry.best)
		return true
	case entry.failed >= depth:
		t.cut = t.cut || entry.failed < maxThreatTurns
		return false
	}
	outer := t.cut
	won := t.tryTurns(s, depth, ply, key)
	t.cut = t.cut || outer
	return won
}

// tryTurns tries the turns of a position. If all fail, and would with more turns too, it
// stores that.
func (t *threats) tryTurns(s game.Side, depth, ply int, key uint64) bool {
	r := &t.scratch[ply]
	t.cut = false
	t.list(s, depth, r)
	for i := range r.n {
		if t.forces(s, depth, ply, r.list[i]) {
			t.table.put(key, threatEntry{best: r.list[i], won: depth})
			t.remember(ply, r.list[i])
			return true
		}
		if t.over() {
			t.cut = true
			return false
		}
	}
	failed := depth
	if !t.cut {
		failed = maxThreatTurns
	}
	t.table.put(key, threatEntry{failed: failed})
	return false
}

// remember keeps the winning turn of ply 0, whose entry another thread may overwrite.
func (t *threats) remember(ply int, p pair) {
	if ply == 0 {
		t.first = p
	}
}

// forces reports whether a turn of threats wins.
func (t *threats) forces(s game.Side, depth, ply int, p pair) (won bool) {
	b, a := t.b, &t.scratch[ply].own
	b.play(s, p)
	if b.hot[s^1] == 0 {
		b.answer(s, a)
		switch {
		case a.stones == 3:
			won = true
		case a.stones == 2 && depth > 1:
			won = t.beats(s, depth, ply, a)
		case a.stones == 2:
			t.cut = true
		}
	}
	b.undo(s, p)
	return won
}

// beats reports whether a side wins against each answer.
func (t *threats) beats(s game.Side, depth, ply int, a *answers) bool {
	if a.m > 1 && t.beatsAll(s, depth, ply, a) {
		return true
	}
	for i := range a.m {
		p := a.pairs[i]
		t.b.play(s^1, p)
		won := t.wins(s, depth-1, ply+1)
		t.b.undo(s^1, p)
		if !won {
			return false
		}
	}
	return true
}

// beatsAll reports whether a side wins even against all answers at once.
func (t *threats) beatsAll(s game.Side, depth, ply int, a *answers) bool {
	var buf [2 * len(a.pairs)]cell
	cells := buf[:0]
	for _, p := range a.pairs[:a.m] {
		cells = appendNew(cells, p)
	}
	won := !t.b.fill(s^1, cells) && t.wins(s, depth-1, ply+1)
	t.b.clear(s^1, cells)
	return won
}
