package large

import (
	"quintet/engine"
	"quintet/game"
)

// ttEntry is an entry of the transposition table: a bound of its score, found by a search of
// this depth and certainty.
type ttEntry struct {
	score     int // hundredths of a disc
	bound     engine.Bound
	depth     int // plies
	certainty int // of the cuts; see prune.go
	best      int // the cell of the best move plus 1; 0 for none
}

// key returns a hash of a board, which keeps it.
func (g *geometry) key(b *board) uint64 {
	if b.hash != 0 {
		return b.hash
	}
	key := uint64(0x5eed)
	for i := range min(uint(g.half), most) {
		key = game.Mix(key^b.other[i]*0x9e3779b97f4a7c15, b.own[i])
	}
	b.hash = key
	return key
}

// pack returns the data of an entry: score 17 bits, bound 2, certainty 3, cell 10.
func (e *ttEntry) pack() uint64 {
	return uint64(uint32(int32(e.score))) | uint64(e.bound)<<32 | uint64(e.certainty)<<34 | uint64(e.best)<<37
}

// lookUp returns the entry of a board; its bound is engine.NoBound if there is none.
func lookUp(t *engine.Table, key uint64) ttEntry {
	data, depth, ok := t.Get(key)
	if !ok {
		return ttEntry{}
	}
	return ttEntry{int(int32(uint32(data))), engine.Bound(data >> 32 & 3), depth, int(data >> 34 & 7), int(data >> 37 & 0x3ff)}
}

func store(t *engine.Table, key uint64, e ttEntry) { t.Put(key, e.pack(), min(e.depth, 127)) }
