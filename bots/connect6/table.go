package connect6

import "quintet/engine"

// ttEntry is an entry of the transposition table of turns.
type ttEntry struct {
	best  pair
	score int
	depth int // turns
	bound engine.Bound
}

// cellBits is the number of bits for a cell or none.
const cellBits = 10

// pack returns the data of an entry: two cells of 10 bits, score 16, bound 2.
func (e ttEntry) pack() uint64 {
	return uint64(e.best.first+1) | uint64(e.best.second+1)<<cellBits | uint64(uint16(int16(e.score)))<<20 | uint64(e.bound)<<36
}

func unpack(data uint64, depth int) ttEntry {
	const cellMask = 1<<cellBits - 1
	return ttEntry{
		best:  pair{cell(data&cellMask) - 1, cell(data>>cellBits&cellMask) - 1},
		score: int(int16(data >> 20)), depth: depth, bound: engine.Bound(data >> 36 & 3),
	}
}

// lookUp returns the entry of a position; its bound is engine.NoBound if there is none.
// placed is the number of stones placed since the root.
func lookUp(t *engine.Table, key uint64, placed int) ttEntry {
	data, depth, ok := t.Get(key)
	if !ok {
		return ttEntry{}
	}
	e := unpack(data, depth)
	e.score = engine.ScoreFromTable(e.score, placed)
	return e
}

// store stores the entry of a position.
func store(t *engine.Table, key uint64, e ttEntry, placed int) {
	e.score = engine.ScoreToTable(e.score, placed)
	t.Put(key, e.pack(), e.depth)
}
