package endgame

import (
	"math/bits"

	"quintet/game"
	"quintet/games/othello"
)

// ttEntry is an entry of the transposition table: the value of a board lies between two
// bounds. It has the board itself, so that no two are taken for each other.
type ttEntry struct {
	own, other, ground uint64
	low, high          int8
	best               int8 // the best move plus 1; 0 for none
	empty              int8 // cells
}

const entryBytes = 32

// noEntry is the entry of a board that the table does not have.
var noEntry = ttEntry{low: -infinite, high: infinite}

// bucket returns the two entries in which a board can be.
func (s *Solver) bucket(w *othello.Bitboards) (first, second *ttEntry) {
	key := game.Mix(game.Mix(w.Ground, w.Own), w.Other)
	i := key & uint64(len(s.table)-1)
	return &s.table[i], &s.table[i^1]
}

func (e *ttEntry) is(w *othello.Bitboards) bool {
	return e.own == w.Own && e.other == w.Other && e.ground == w.Ground
}

// get returns the entry of a board.
func (s *Solver) get(w *othello.Bitboards) ttEntry {
	first, second := s.bucket(w)
	switch {
	case first.is(w):
		return *first
	case second.is(w):
		return *second
	}
	return noEntry
}

// place returns the entry for a board: its own, or else the one of its bucket with fewer empty
// cells, cleared.
func (s *Solver) place(w *othello.Bitboards) *ttEntry {
	first, second := s.bucket(w)
	switch {
	case first.is(w):
		return first
	case second.is(w):
		return second
	case second.empty < first.empty:
		first = second
	}
	*first = noEntry
	first.own, first.other, first.ground = w.Own, w.Other, w.Ground
	first.empty = int8(bits.OnesCount64(w.Empty()))
	return first
}

// put stores what a search between alpha and beta has found, and its best move.
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
