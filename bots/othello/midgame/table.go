package midgame

import (
	"math/bits"
	"sync/atomic"

	"quintet/game"
	"quintet/games/othello"
)

// table is a transposition table. Threads share it without locks, in the way of
// package engine's: the two words of an entry prove each other.
type table struct{ entries []entry }

type entry struct{ check, data atomic.Uint64 }

// known is an entry taken apart: the value of a board lies between two bounds,
// as far as a search of this depth and certainty can tell.
type known struct {
	low, high int    // points
	depth     int    // plies
	certainty int    // of its cuts; see cut.go
	best      [2]int // squares plus 1; 0 for none
}

func newTable(megabytes int) table {
	n := uint64(max(megabytes, 1)) << 20 / 16
	return table{make([]entry, 1<<(bits.Len64(n)-1))}
}

// clear forgets everything. No thread may be searching: the words are not
// stored one by one, which would take far longer.
func (t *table) clear() { clear(t.entries) }

func keyOf(w *othello.Words) uint64 { return game.Mix(game.Mix(0x5eed, w.Own), w.Other) }

// pack puts an entry into a word: bounds 14 bits each, depth 7, certainty 3,
// squares 7 each. The bit left over tells it from an empty entry.
func (k *known) pack() uint64 {
	return uint64(k.low+beyond)&0x3fff | uint64(k.high+beyond)&0x3fff<<14 | uint64(k.depth)&0x7f<<28 |
		uint64(k.certainty)&7<<35 | uint64(k.best[0])&0x7f<<38 | uint64(k.best[1])&0x7f<<45 | 1<<63
}

func unpack(data uint64) known {
	return known{
		low: int(data&0x3fff) - beyond, high: int(data>>14&0x3fff) - beyond, depth: int(data >> 28 & 0x7f),
		certainty: int(data >> 35 & 7), best: [2]int{int(data >> 38 & 0x7f), int(data >> 45 & 0x7f)},
	}
}

// get returns what is known of a board; its bounds are infinite if nothing is.
func (t *table) get(key uint64) (k known, ok bool) {
	i := key & uint64(len(t.entries)-1)
	for _, e := range [2]*entry{&t.entries[i], &t.entries[i^1]} {
		if data := e.data.Load(); data != 0 && e.check.Load()^data == key {
			return unpack(data), true
		}
	}
	return known{low: -beyond, high: beyond, depth: -1}, false
}

// put stores what a search between alpha and beta has found, in the place of the
// same board or of the shallower of two.
func (t *table) put(key uint64, k known) {
	i := key & uint64(len(t.entries)-1)
	first, second := &t.entries[i], &t.entries[i^1]
	e := first
	switch one, two := first.data.Load(), second.data.Load(); {
	case first.check.Load()^one == key:
	case second.check.Load()^two == key || two>>28&0x7f < one>>28&0x7f:
		e = second
	}
	data := k.pack()
	e.check.Store(key ^ data)
	e.data.Store(data)
}
