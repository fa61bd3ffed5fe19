package engine

import (
	"sync/atomic"

	"quintet/game"
)

// busy tells the threads of a search which moves are being searched. A thread puts off a
// move that another thread is searching, so that the threads share the moves of a node
// instead of repeating each other's work (Tom Kerrigan, "Simplified ABDADA", 2016).
//
// It is a hint: a move that overwrites another one in its slot costs time, never a wrong
// score.
type busy [1 << 12]atomic.Uint64

// busyDepth is the least depth, in plies, of a node whose moves are shared. Below it, asking
// costs more than it saves.
const busyDepth = 2

// busyKey identifies a move from a position, searched to a depth.
func busyKey(position uint64, m game.Move, depth int) uint64 {
	key := position ^ uint64(m)*0x9e3779b97f4a7c15 ^ uint64(depth)*0xbf58476d1ce4e5b9
	return key ^ key>>29 | 1 // never that of an empty slot
}

func (b *busy) slot(key uint64) *atomic.Uint64 { return &b[key>>1&uint64(len(b)-1)] }

// begin says that a thread searches a move.
func (b *busy) begin(key uint64) { b.slot(key).Store(key) }

// end says that it has been searched.
func (b *busy) end(key uint64) { b.slot(key).CompareAndSwap(key, 0) }

// searching reports whether a thread searches a move.
func (b *busy) searching(key uint64) bool { return b.slot(key).Load() == key }
