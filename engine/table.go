package engine

import (
	"math/bits"

	"quintet/internal/hugepages"
)

// Table is a transposition table: it stores the results of a search under the key of the
// position. Each search packs its result into a word of [DataBits] bits.
//
// A position maps to two entries. A new result replaces that of the same position, or else
// the older or shallower of the two. Threads share the table without locks: if two threads
// write an entry at the same time, its words do not match and it counts as empty (Hyatt and
// Mann, "A lock-less transposition table implementation for parallel search chess
// engines", 2002).
type Table struct {
	entries []entry
	age     uint64 // of the current search, 0 to ageMask
}

// entry holds a word and the key combined with it, so that each proves the other.
// From its lowest bit the word has the data, the depth, the age, and a bit that is
// set, so that it is not that of an empty entry.
type entry struct{ check, word tableWord }

const (
	// DataBits is how many bits a search may store of a position.
	DataBits = 50

	depthBits, ageBits = 7, 6
	dataMask           = 1<<DataBits - 1
	depthMask          = 1<<depthBits - 1
	ageMask            = 1<<ageBits - 1
	ageShift           = DataBits + depthBits
	used               = 1 << 63

	entryBytes = 16
)

// How many plies of depth an entry loses for each search since, and how much deeper
// than a bound an entry of the same position must be to stay.
const (
	agePlies   = 4
	boundPlies = 3
)

// NewTable returns a table whose size is the largest power of two that fits into a number
// of MiB, at least 1.
func NewTable(megabytes int) *Table {
	t := new(Table)
	t.Resize(megabytes)
	return t
}

// Resize empties the table and gives it the size of [NewTable]. A smaller table keeps its memory.
// No thread may be searching.
func (t *Table) Resize(megabytes int) {
	n := 1 << (bits.Len64(uint64(max(megabytes, 1))<<20/entryBytes) - 1)
	t.age = 0
	if n <= cap(t.entries) {
		t.entries = t.entries[:n]
		clear(t.entries)
		return
	}
	t.entries = nil // so that a collection that runs now frees it
	t.entries = make([]entry, n)
	hugepages.Advise(t.entries)
}

// Clear empties the table. No thread may be searching: the words are not stored
// atomically, which would take far longer.
func (t *Table) Clear() {
	clear(t.entries)
	t.age = 0
}

// NextSearch starts a new generation. Older entries remain valid but are replaced first.
func (t *Table) NextSearch() { t.age = (t.age + 1) & ageMask }

// slots returns the two entries that a position may be in.
func (t *Table) slots(key uint64) (first, second *entry) {
	i := key & uint64(len(t.entries)-1)
	return &t.entries[i], &t.entries[i^1]
}

// Prefetch begins to load what is stored about a position, so that Get need not wait
// for it.
func (t *Table) Prefetch(key uint64) {
	first, _ := t.slots(key)
	prefetch(first)
}

// Get returns what was stored about a position, and the depth it was searched to.
func (t *Table) Get(key uint64) (data uint64, depth int, ok bool) {
	first, second := t.slots(key)
	word := first.word.Load()
	if word == 0 || first.check.Load()^word != key {
		word = second.word.Load()
		if word == 0 || second.check.Load()^word != key {
			return 0, 0, false
		}
	}
	return word & dataMask, depthOf(word), true
}

// Put stores what a search to a depth of 0 to 127 plies found about a position.
func (t *Table) Put(key, data uint64, depth int) {
	e, _ := t.replaced(key)
	t.store(e, key, data, depth)
}

// PutBound is Put, but keeps an entry of the same position that is more than 3 plies
// deeper.
func (t *Table) PutBound(key, data uint64, depth int) {
	if e, deepest := t.replaced(key); deepest <= depth+boundPlies {
		t.store(e, key, data, depth)
	}
}

// replaced returns the entry to replace by that of a position, and its depth if it is
// of the same position, or 0.
func (t *Table) replaced(key uint64) (e *entry, depth int) {
	first, second := t.slots(key)
	one, two := first.word.Load(), second.word.Load()
	switch {
	case first.check.Load()^one == key:
		return first, depthOf(one)
	case second.check.Load()^two == key:
		return second, depthOf(two)
	case t.worth(two) < t.worth(one):
		return second, 0
	}
	return first, 0
}

func (t *Table) store(e *entry, key, data uint64, depth int) {
	word := data&dataMask | uint64(depth&depthMask)<<DataBits | t.age<<ageShift | used
	e.check.Store(key ^ word)
	e.word.Store(word)
}

func depthOf(word uint64) int { return int(word >> DataBits & depthMask) }

// worth returns how much an entry is worth keeping, in plies.
func (t *Table) worth(word uint64) int {
	if word == 0 {
		return -1000
	}
	return depthOf(word) - agePlies*int((t.age-word>>ageShift)&ageMask)
}
