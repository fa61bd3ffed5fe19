package connect6

import "math/bits"

// table is a transposition table: what was found about positions, by their keys.
type table struct {
	slots []slot
	age   uint8
}

// slot is what was found about a position.
type slot struct {
	key   uint64
	best  pair
	score int16
	depth int8
	bound bound
	age   uint8
}

// bound says what a score means.
type bound uint8

const (
	unknown bound = iota
	exact
	atLeast
	atMost
)

// slotBytes is how much room a slot takes.
const slotBytes = 24

func newTable(megabytes int) *table {
	n := uint64(max(megabytes, 1)) << 20 / slotBytes
	return &table{slots: make([]slot, 1<<(bits.Len64(n)-1))}
}

func (t *table) clear() {
	clear(t.slots)
	t.age = 0
}

// get returns what is known of a position; the bound is unknown if nothing is.
func (t *table) get(key uint64) slot {
	at := key & uint64(len(t.slots)-1)
	for _, s := range [2]*slot{&t.slots[at], &t.slots[at^1]} {
		if s.key == key && s.bound != unknown {
			return *s
		}
	}
	return slot{}
}

// put stores what was found, in the place of the same position, or else of the
// older or shallower of two.
func (t *table) put(s slot) {
	s.age = t.age
	at := s.key & uint64(len(t.slots)-1)
	one, two := &t.slots[at], &t.slots[at^1]
	switch {
	case one.key == s.key:
		*one = s
	case two.key == s.key || t.worth(two) < t.worth(one):
		*two = s
	default:
		*one = s
	}
}

// worth says how much a slot is to be kept.
func (t *table) worth(s *slot) int {
	if s.bound == unknown {
		return -1000
	}
	return int(s.depth) - 4*int(t.age-s.age)
}
