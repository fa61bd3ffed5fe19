package midgame

import (
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// ttEntry is an entry of the transposition table: the value of a board lies between two bounds,
// as far as a search of this depth and certainty can tell.
type ttEntry struct {
	low, high int    // points
	depth     int    // plies
	certainty int    // of its cuts; see probcut.go
	best      [2]int // squares plus 1; 0 for none
}

func keyOf(w *othello.Bitboards) uint64 { return game.Mix(game.Mix(0x5eed, w.Own), w.Other) }

// pack returns the data of an entry: bounds 14 bits each, certainty 3, squares 7 each.
func (k *ttEntry) pack() uint64 {
	return uint64(k.low+infinite)&0x3fff | uint64(k.high+infinite)&0x3fff<<14 |
		uint64(k.certainty)&7<<28 | uint64(k.best[0])&0x7f<<31 | uint64(k.best[1])&0x7f<<38
}

func unpack(data uint64, depth int) ttEntry {
	return ttEntry{
		low: int(data&0x3fff) - infinite, high: int(data>>14&0x3fff) - infinite, depth: depth,
		certainty: int(data >> 28 & 7), best: [2]int{int(data >> 31 & 0x7f), int(data >> 38 & 0x7f)},
	}
}

// lookUp returns the entry of a board. Without one the bounds are infinite.
func lookUp(t *engine.Table, key uint64) (k ttEntry, ok bool) {
	if data, depth, ok := t.Get(key); ok {
		return unpack(data, depth), true
	}
	return ttEntry{low: -infinite, high: infinite, depth: -1}, false
}

// store stores the entry of a board.
func store(t *engine.Table, key uint64, k ttEntry) { t.Put(key, k.pack(), k.depth) }
