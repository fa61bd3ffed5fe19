package engine

import "sync/atomic"

// Busy tells the threads of a search which moves are being searched. A thread puts off a
// move that another thread is searching, so that the threads share the moves of a node
// instead of repeating each other's work (Tom Kerrigan, "Simplified ABDADA", 2016).
//
// It is a hint: a move that overwrites another one in its slot costs time, never a wrong
// score.
//
// The zero value is ready for use by any number of threads.
type Busy struct {
	slots [1 << 12]atomic.Uint64 // each the MoveKey of a move, or 0
}

// busyDepth is the least depth, in plies, of a node whose moves are shared. Below it, asking
// costs more than it saves.
const busyDepth = 5

// MoveKey identifies a move that is searched from a position to a depth. It is never 0.
type MoveKey uint64

// NewMoveKey returns the key of a move, given as any number that identifies it among those of
// the position.
func NewMoveKey(position, move uint64, depth int) MoveKey {
	key := position ^ move*0x9e3779b97f4a7c15 ^ uint64(depth)*0xbf58476d1ce4e5b9
	return MoveKey(key ^ key>>29 | 1)
}

func (b *Busy) slot(key MoveKey) *atomic.Uint64 {
	return &b.slots[key>>1&MoveKey(len(b.slots)-1)]
}

// Begin marks a move as being searched.
func (b *Busy) Begin(key MoveKey) { b.slot(key).Store(uint64(key)) }

// End removes the mark.
func (b *Busy) End(key MoveKey) { b.slot(key).CompareAndSwap(uint64(key), 0) }

// Searching reports whether a thread searches a move.
func (b *Busy) Searching(key MoveKey) bool { return b.slot(key).Load() == uint64(key) }
