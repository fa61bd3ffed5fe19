package midgame

import "quintet/games/othello"

// evaluatedBits is the size of a cache of evaluations: one that fits into the processor's first-level
// cache beside the rest.
const evaluatedBits = 10

// evaluated caches the evaluations of the last boards. A search evaluates a board several times
// in a row: to order it among its siblings, and at the beginning of each shallower search that
// ProbCut tries on it.
type evaluated [1 << evaluatedBits]struct {
	own, other uint64
	score      int
}

// slot returns the index of a board.
func slot(own, other uint64) uint64 {
	const a, b = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f // of the golden ratio, and a prime of xxHash
	return (own*a ^ other*b) >> (64 - evaluatedBits)
}

// cachedScore is score by way of the cache.
func (t *thread) cachedScore(w *othello.Bitboards) int {
	e := &t.evaluated[slot(w.Own, w.Other)]
	if e.own != w.Own || e.other != w.Other {
		e.own, e.other, e.score = w.Own, w.Other, t.score(w)
	}
	return e.score
}
