package engine

import "quintet/game"

// ttEntry is AlphaBeta's entry of the transposition table.
type ttEntry struct {
	move  game.Move
	score int
	depth int
	bound Bound
}

// pack returns the data of an entry: move 32 bits, score 16, bound 2.
func (f ttEntry) pack() uint64 {
	return uint64(f.move) | uint64(uint16(int16(f.score)))<<32 | uint64(f.bound)<<48
}

// get returns the entry of a position at a ply from the root; the bound is NoBound if there
// is none.
func (t *Table) get(key uint64, ply int) ttEntry {
	data, depth, ok := t.Get(key)
	if !ok {
		return ttEntry{}
	}
	return ttEntry{
		move:  game.Move(data & 0xffffffff),
		score: ScoreFromTable(int(int16(data>>32)), ply),
		depth: depth,
		bound: Bound(data >> 48 & 3),
	}
}

// put stores the entry of a position at a ply from the root.
func (t *Table) put(key uint64, f ttEntry, ply int) {
	f.score = ScoreToTable(f.score, ply)
	if f.bound == Exact {
		t.Put(key, f.pack(), f.depth)
	} else {
		t.PutBound(key, f.pack(), f.depth)
	}
}
