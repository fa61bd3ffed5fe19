package connect6

import "quintet/game"

// Numbers of cells and turns against a win by threats.
const (
	maxZone    = 24 // cells considered to stop it
	defendWith = 8  // second stones if the first stops it
	zonePairs  = 48 // turns that stop it
	counters   = maxPairs - zonePairs
)

// defend reports whether the other side would win by threats if the side to move passed,
// and lists turns against that win: those with a stone on the cells that it needs, and
// counter-threats, which the other side must answer first.
func (t *tree) defend(s game.Side, ply int, r *turnScratch) bool {
	most, budget := innerThreats, uint64(innerBudget)
	if ply == 0 {
		most, budget = rootThreats, firstBudget
	}
	turns := t.find(s^1, 2, most, budget)
	if turns < 1 {
		return false
	}
	zone := t.threats.zone(s^1, turns, r.zone[:0])
	r.moves.n = 0
	n := t.pairs.weigh(s)
	top := t.pairs.best(n, false)
	t.listZone(s, zone, top, r)
	t.listCounters(s, top, r)
	t.pairs.forget(n)
	return r.moves.n > 0
}

// listZone lists turns with a stone in a zone: both, or with one of the best cells.
func (t *tree) listZone(s game.Side, zone, top []cell, r *turnScratch) {
	b, g := &t.board, &t.pairs
	for i, x := range zone {
		v := b.value(s, x)
		for _, y := range zone[i+1:] {
			r.moves.add(pair{x, y}, v+b.value(s, y), zonePairs)
		}
		for _, y := range top[:min(len(top), defendWith)] {
			if !contains(zone, y) {
				r.moves.add(pair{x, y}, v+g.value[y], zonePairs)
			}
		}
	}
}

// listCounters adds the best turns that make a threat.
func (t *tree) listCounters(s game.Side, top []cell, r *turnScratch) {
	t.counters.n = 0
	t.pairs.offer(s, top, true, counters, &t.counters)
	for i, p := range t.counters.list[:t.counters.n] {
		if !r.moves.has(p) {
			r.moves.add(p, t.counters.values[i], maxPairs)
		}
	}
}
