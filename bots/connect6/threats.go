package connect6

import (
	"quintet/game"
)

// Bounds of the search of threats.
const (
	maxThreatTurns = 24 // how many turns of threats follow each other at most
	maxForcing     = 48 // turns of threats that are tried in a position, the strongest
	lineBudget     = 1_000_000
)

// threats searches forced wins: turns of which each makes a threat that takes
// the other side both stones to answer, until one cannot be answered. Every
// answer is looked at, so a win that is found is one.
//
// Where several answers do, it first gives the other side all of them at once:
// stones of its own do not hurt a side, so a win against that is a win against
// each. Only if there is none are they tried one by one.
type threats struct {
	b       *board
	nodes   uint64
	limit   uint64 // of nodes; the search fails when it is reached
	most    uint64 // the same, whatever find is asked for
	halt    func() bool
	table   []threatSlot
	scratch [maxThreatTurns + 1]threatScratch

	// Scratch of list.
	class  [maxCells]uint8 // threats that a stone here makes
	single [maxCells]cell  // cells of which class is not 0
	weight [maxCells]int32 // what a stone gains on them
}

// threatSlot remembers a position: that a side wins in so many turns of
// threats, and by which, or that it does not.
type threatSlot struct {
	key    uint64
	best   pair
	failed int8 // turns that do not suffice
	won    int8 // turns that do; 0 if not known
}

// threatScratch is what a turn of the search needs.
type threatScratch struct {
	list   [maxForcing]pair
	values [maxForcing]int32
	n      int
	own    answers // of the other side to the threats made
	must   answers // to threats of the other side
}

func newThreats(b *board, slots int) *threats {
	return &threats{b: b, most: ^uint64(0), table: make([]threatSlot, slots)}
}

// clear forgets all.
func (t *threats) clear() { clear(t.table) }

// find looks for a win of the side to move, which places so many stones first, in
// up to so many turns of threats, and visits up to so many positions. It returns
// in how many turns, the one that wins at the end not counted, or -1.
func (t *threats) find(s game.Side, left, turns int, limit uint64) int {
	t.limit = t.nodes + limit
	for depth := range min(turns, maxThreatTurns) + 1 {
		if left == 2 && t.wins(s, depth, 0) || left == 1 && depth > 0 && t.winsByOne(s, depth) != none {
			return depth
		}
		if t.over() {
			break
		}
	}
	return -1
}

// winsByOne returns a single stone that begins a win by threats, or none.
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

func (t *threats) slot(s game.Side) *threatSlot {
	key := t.b.key ^ sideKey(s)
	return &t.table[key>>7%uint64(len(t.table))]
}

// sideKey tells positions apart by the side to move.
func sideKey(s game.Side) uint64 { return uint64(s) * 0xd6e8feb86659fd93 }

// wins reports whether a side, which is to place two stones, wins in so many
// turns of threats.
func (t *threats) wins(s game.Side, depth, ply int) bool {
	if t.over() {
		return false
	}
	t.nodes++
	if depth == 0 || t.b.hot[s] > 0 {
		return t.b.hot[s] > 0
	}
	key := t.b.key ^ sideKey(s)
	slot := t.slot(s)
	if slot.key == key {
		switch {
		case slot.won > 0 && int(slot.won) <= depth:
			return true
		case int(slot.failed) >= depth:
			return false
		}
	}
	r := &t.scratch[ply]
	t.list(s, depth, r)
	for i := range r.n {
		if t.forces(s, depth, ply, r.list[i]) {
			*slot = threatSlot{key: key, best: r.list[i], won: int8(depth)}
			return true
		}
		if t.over() {
			return false
		}
	}
	*slot = threatSlot{key: key, failed: int8(depth)}
	return false
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
		}
	}
	b.undo(s, p)
	return won
}

// beats reports whether a side wins whichever of the answers the other gives.
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

// beatsAll reports whether a side wins even if the other gives all answers at
// once.
func (t *threats) beatsAll(s game.Side, depth, ply int, a *answers) bool {
	var cells [2 * len(a.pairs)]cell
	n := 0
	six := false
	for _, p := range a.pairs[:a.m] {
		for _, c := range [2]cell{p.first, p.second} {
			if t.b.vacant(c) {
				six = six || t.b.completes(s^1, c)
				t.b.put(s^1, c)
				cells[n] = c
				n++
			}
		}
	}
	won := !six && t.wins(s, depth-1, ply+1)
	for n--; n >= 0; n-- {
		t.b.take(s^1, cells[n])
	}
	return won
}
