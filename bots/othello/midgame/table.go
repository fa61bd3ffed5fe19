package midgame

import (
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// known is what the search stores about a board in the transposition table: its value
// lies between two bounds, as far as a search of this depth and certainty can tell.
type known struct {
	low, high int    // points
	depth     int    // plies
	certainty int    // of its cuts; see cut.go
	best      [2]int // squares plus 1; 0 for none
}

func keyOf(w *othello.Bitboards) uint64 { return game.Mix(game.Mix(0x5eed, w.Own), w.Other) }

// pack returns the data of an entry: bounds 14 bits each, certainty 3, squares 7 each.
func (k *known) pack() uint64 {
	return uint64(k.low+beyond)&0x3fff | uint64(k.high+beyond)&0x3fff<<14 |
		uint64(k.certainty)&7<<28 | uint64(k.best[0])&0x7f<<31 | uint64(k.best[1])&0x7f<<38
}

func unpack(data uint64, depth int) known {
	return known{
		low: int(data&0x3fff) - beyond, high: int(data>>14&0x3fff) - beyond, depth: depth,
		certainty: int(data >> 28 & 7), best: [2]int{int(data >> 31 & 0x7f), int(data >> 38 & 0x7f)},
	}
}

// lookUp returns what is known of a board; its bounds are infinite if nothing is.
func lookUp(t *engine.Table, key uint64) (k known, ok bool) {
	if data, depth, ok := t.Get(key); ok {
		return unpack(data, depth), true
	}
	return known{low: -beyond, high: beyond, depth: -1}, false
}

// store stores what was found about a board.
func store(t *engine.Table, key uint64, k known) { t.Put(key, k.pack(), k.depth) }
