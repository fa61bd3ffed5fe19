package engine

import (
	"math/bits"
	"sync/atomic"

	"quintet/game"
)

// Table is a transposition table: what was found about positions, by their
// keys, to be found again when other moves lead there. Threads share it without
// locks: an entry that two of them have written half is recognized, as its
// words no longer belong together (Hyatt and Mann, "A lock-less transposition
// table implementation for parallel search chess engines", 2002).
type Table struct {
	entries []entry
	age     uint64 // of this search, 0 to 63
}

// entry holds the key, combined with the data so that the two prove each other.
type entry struct{ check, data atomic.Uint64 }

// found is an entry taken apart.
type found struct {
	move  game.Move
	score int
	depth int
	bound bound
}

// bound says what a score means.
type bound uint8

const (
	unknown bound = iota
	exact
	atLeast // the search was cut off: the move is good enough
	atMost  // no move was good enough
)

// NewTable returns a table that takes about so many megabytes, at least 1.
func NewTable(megabytes int) *Table {
	n := uint64(max(megabytes, 1)) << 20 / 16
	return &Table{entries: make([]entry, 1<<(bits.Len64(n)-1))}
}

// Clear forgets everything. No thread may be searching: the words are not stored
// one by one, which would take far longer.
func (t *Table) Clear() { clear(t.entries) }

// next begins another search. What older ones found is still used, but gives
// way.
func (t *Table) next() { t.age = (t.age + 1) & 63 }

// pack puts the parts of an entry into a word: the cells and form of the move 24
// bits, score 16, depth 8, bound 2, age 6, the kind of the move 8.
func (f found) pack(age uint64) uint64 {
	return uint64(f.move&0xffffff) | uint64(uint16(int16(f.score)))<<24 |
		uint64(uint8(f.depth))<<40 | uint64(f.bound)<<48 | age<<50 | uint64(f.move.Kind())<<56
}

func unpack(data uint64) found {
	return found{
		move:  game.Move(data & 0xffffff).WithKind(byte(data >> 56)),
		score: int(int16(data >> 24)),
		depth: int(uint8(data >> 40)),
		bound: bound(data >> 48 & 3),
	}
}

// slots returns the two entries that a position may be in.
func (t *Table) slots(key uint64) (first, second *entry) {
	i := key & uint64(len(t.entries)-1)
	return &t.entries[i], &t.entries[i^1]
}

// get returns what is known of a position; the bound is unknown if nothing is.
// Scores of wins count from the position, ply plies from the root.
func (t *Table) get(key uint64, ply int) found {
	first, second := t.slots(key)
	for _, e := range [2]*entry{first, second} {
		data := e.data.Load()
		if data != 0 && e.check.Load()^data == key {
			f := unpack(data)
			f.score = fromHere(f.score, ply)
			return f
		}
	}
	return found{}
}

// put stores what was found, in the place of the same position, or else of the
// older or shallower of two. A much deeper search of the same position stays,
// unless the score is exact.
func (t *Table) put(key uint64, f found, ply int) {
	first, second := t.slots(key)
	e := first
	switch one, two := first.data.Load(), second.data.Load(); {
	case first.check.Load()^one == key:
	case second.check.Load()^two == key || t.worth(two) < t.worth(one):
		e = second
	}
	if data := e.data.Load(); e.check.Load()^data == key && unpack(data).depth > f.depth+3 && f.bound != exact {
		return
	}
	f.score = fromThere(f.score, ply)
	data := f.pack(t.age)
	e.check.Store(key ^ data)
	e.data.Store(data)
}

// worth says how much an entry is to be kept: its depth, and less if it is
// from an older search.
func (t *Table) worth(data uint64) int {
	if data == 0 {
		return -1000
	}
	older := int((t.age - data>>50) & 63)
	return unpack(data).depth - 4*older
}

// fromThere and fromHere turn the distance of a win between the root's count
// of plies and the position's own.
func fromThere(score, ply int) int {
	switch {
	case score > MaxEval:
		return score + ply
	case score < -MaxEval:
		return score - ply
	}
	return score
}

func fromHere(score, ply int) int {
	switch {
	case score > MaxEval:
		return score - ply
	case score < -MaxEval:
		return score + ply
	}
	return score
}
