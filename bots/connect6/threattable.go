package connect6

import "sync/atomic"

// threatTable stores what the threat search knows of positions. Threads share it without
// locks, as they share engine.Table: a word that does not match its key counts as empty.
type threatTable []threatSlot

// threatSlot holds the packed threatEntry of a position, and its key combined with it.
type threatSlot struct{ check, word atomic.Uint64 }

// threatEntry is what is known of a position: whether the side to move wins within a number
// of turns of threats, and with which turn.
type threatEntry struct {
	best   pair
	failed int // number of turns that is known to be too small
	won    int // number of turns that suffices; 0 if unknown
}

// Bits of a packed entry: two cells or none, two numbers of turns, and one that is set.
const (
	turnBits   = 5
	wonShift   = 2 * cellBits
	failShift  = wonShift + turnBits
	threatUsed = 1 << 63
)

func (e threatEntry) pack() uint64 {
	return threatUsed | uint64(e.best.first+1) | uint64(e.best.second+1)<<cellBits |
		uint64(e.won)<<wonShift | uint64(e.failed)<<failShift
}

// slot returns the slot of a key.
func (t threatTable) slot(key uint64) *threatSlot { return &t[key>>7%uint64(len(t))] }

// get returns the entry of a position, the zero threatEntry if there is none.
func (t threatTable) get(key uint64) (e threatEntry) {
	s := t.slot(key)
	word := s.word.Load()
	if word == 0 || s.check.Load()^word != key {
		return threatEntry{}
	}
	const cellMask, turnMask = 1<<cellBits - 1, 1<<turnBits - 1
	return threatEntry{
		best:   pair{cell(word&cellMask) - 1, cell(word>>cellBits&cellMask) - 1},
		failed: int(word >> failShift & turnMask), won: int(word >> wonShift & turnMask),
	}
}

// put stores the entry of a position in place of another one.
func (t threatTable) put(key uint64, e threatEntry) {
	s, word := t.slot(key), e.pack()
	s.check.Store(key ^ word)
	s.word.Store(word)
}
