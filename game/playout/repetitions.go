package playout

// repetitions counts how often each position of one game occurred. It is an
// open-addressing hash table; a generation number makes clearing it free.
type repetitions struct {
	slots []slot
	used  int
	game  uint32 // generation: slots of other games count as empty
}

type slot struct {
	key  uint64
	game uint32
	n    uint32
}

// minSlots is the size of the first table, a power of two.
const minSlots = 1 << 9

// clear begins a new game.
func (s *repetitions) clear() {
	s.used = 0
	s.game++
	if s.slots == nil || s.game == 0 {
		s.slots, s.game = make([]slot, max(minSlots, len(s.slots))), 1
	}
}

// add counts a position and returns its number of occurrences.
func (s *repetitions) add(key uint64) int {
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	at := s.find(key)
	if at.game != s.game {
		*at = slot{key: key, game: s.game}
		s.used++
	}
	at.n++
	return int(at.n)
}

// find returns the slot of a key, or the empty one where it belongs.
func (s *repetitions) find(key uint64) *slot {
	mask := uint64(len(s.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		if at := &s.slots[i]; at.game != s.game || at.key == key {
			return at
		}
	}
}

func (s *repetitions) grow() {
	old := s.slots
	s.slots = make([]slot, 2*len(old))
	for _, o := range old {
		if o.game == s.game {
			*s.find(o.key) = o
		}
	}
}
