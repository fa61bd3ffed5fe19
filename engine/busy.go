package engine

import "sync/atomic"

// Busy tells the threads of a search which moves are being searched. A thread puts off a
// move that another thread is searching, so that the threads share the moves of a node
// instead of repeating each other's work (Tom Kerrigan, "Simplified ABDADA", 2016).
//
// It is a hint: a move that overwrites another one in its slot costs time, never a wrong
// score.
type Busy [1 << 12]atomic.Uint64

// busyDepth is the least depth, in plies, of a node whose moves are shared. Below it, asking
// costs more than it saves.
const busyDepth = 5

// BusyKey identifies a move, as a number, from a position, searched to a depth.
func BusyKey(position, move uint64, depth int) uint64 {
	key := position ^ move*0x9e3779b97f4a7c15 ^ uint64(depth)*0xbf58476d1ce4e5b9
	return key ^ key>>29 | 1 // never that of an empty slot
}

func (b *Busy) slot(key uint64) *atomic.Uint64 { return &b[key>>1&uint64(len(b)-1)] }

// Begin says that a thread searches a move.
func (b *Busy) Begin(key uint64) { b.slot(key).Store(key) }

// End says that it has been searched.
func (b *Busy) End(key uint64) { b.slot(key).CompareAndSwap(key, 0) }

// Searching reports whether a thread searches a move.
func (b *Busy) Searching(key uint64) bool { return b.slot(key).Load() == key }
