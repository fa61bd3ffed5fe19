package endgame

import (
	"math/bits"

	"quintet/game"
	"quintet/games/othello"
)

// slot is what is known of a board: that its value lies between two bounds, and
// the best move plus 1. The board itself is in it, so that no two are taken for
// each other.
type slot struct {
	own, other, ground uint64
	low, high, best    int8
	empty              int8
}

const slotBytes = 32

// unknown is the slot of a board of which nothing is known.
var unknown = slot{low: -infinite, high: infinite}

func (s *Solver) slots(w *othello.Bitboards) (first, second *slot) {
	key := game.Mix(game.Mix(w.Ground, w.Own), w.Other)
	i := key & uint64(len(s.table)-1)
	return &s.table[i], &s.table[i^1]
}

func (e *slot) is(w *othello.Bitboards) bool {
	return e.own == w.Own && e.other == w.Other && e.ground == w.Ground
}

// get returns what is known of a board.
func (s *Solver) get(w *othello.Bitboards) slot {
	first, second := s.slots(w)
	switch {
	case first.is(w):
		return *first
	case second.is(w):
		return *second
	}
	return unknown
}

// place returns the slot for a board: its own, or else the one of its bucket with fewer
// empty cells, cleared.
func (s *Solver) place(w *othello.Bitboards) *slot {
	first, second := s.slots(w)
	switch {
	case first.is(w):
		return first
	case second.is(w):
		return second
	case second.empty < first.empty:
		first = second
	}
	*first = unknown
	first.own, first.other, first.ground = w.Own, w.Other, w.Ground
	first.empty = int8(bits.OnesCount64(w.Empty()))
	return first
}

// put keeps what a search between alpha and beta has found, and its best move.
func (s *Solver) put(w *othello.Bitboards, value, alpha, beta int, square int8) {
	e := s.place(w)
	e.best = square + 1
	if value < beta {
		e.high = int8(min(value, int(e.high)))
	}
	if value > alpha {
		e.low = int8(max(value, int(e.low)))
	}
}
