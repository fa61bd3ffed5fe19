package engine

import "sync/atomic"

// moveBounds shares the upper bounds of moves that failed low, by their [MoveKey], among the
// threads of a search.
//
// The transposition table saves less of that work: each thread orders and reduces the moves of
// a node by its own history, so the thread that comes second may ask for more depth than the
// first one has searched a move to.
//
// An entry is the key with its lowest bits replaced by the bound; 0 is an empty one.
type moveBounds [1 << moveBoundsBits]atomic.Uint64

const (
	moveBoundsBits = 14
	boundBits      = 16
	boundMask      = 1<<boundBits - 1
)

func (m *moveBounds) entry(key MoveKey) *atomic.Uint64 {
	return &m[key>>boundBits&(1<<moveBoundsBits-1)]
}

// get returns the upper bound of a move.
func (m *moveBounds) get(key MoveKey) (bound int, ok bool) {
	e := m.entry(key).Load()
	return int(int16(e & boundMask)), e != 0 && (e^uint64(key))>>boundBits == 0
}

// put stores the upper bound of a move, unless it is a proof, whose distance depends on the
// ply.
func (m *moveBounds) put(key MoveKey, bound int) {
	if max(bound, -bound) <= MaxEval {
		m.entry(key).Store(uint64(key)&^boundMask | uint64(uint16(int16(bound))))
	}
}
