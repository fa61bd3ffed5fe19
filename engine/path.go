package engine

import "quintet/game"

// path holds the keys of the positions on the way to the current one, to find
// repetitions.
type path struct {
	repeat int               // Game.Repeat
	keys   []uint64          // of the history and of the line that is looked at
	before int               // how many keys are of the history
	halts  uint64            // a hash of the positions that end the game when they occur again; 0 if there are none
	often  [pathSlots]uint16 // how many keys there are, by their low bits
}

// pathSlots is a power of two well above the length of a game: most positions
// then have a slot without keys, and need not be compared with each.
const pathSlots = 1 << 12

func (l *path) begin(history []uint64) {
	l.keys, l.often, l.before, l.halts = l.keys[:0], [pathSlots]uint16{}, 0, 0
	for _, key := range history {
		before := l.repeated(key)
		l.push(key)
		l.before++
		if !before && l.repeated(key) {
			l.halts += game.Mix(repeatedKey, key) // a sum, because the order does not matter
		}
	}
}

// repeatedKey begins the hash of a position that ends the game when it occurs again.
const repeatedKey = 2

func (l *path) push(key uint64) {
	l.keys = append(l.keys, key)
	l.often[key%pathSlots]++
}

func (l *path) pop() {
	last := len(l.keys) - 1
	l.often[l.keys[last]%pathSlots]--
	l.keys = l.keys[:last]
}

// repeated reports whether a key counts as a repetition: it occurred once in the searched
// line, which could then be repeated forever, or often enough in the history.
func (l *path) repeated(key uint64) bool {
	if l.repeat == 0 || l.often[key%pathSlots] == 0 {
		return false
	}
	seen := 0
	for i := len(l.keys) - 1; i >= 0; i-- {
		if l.keys[i] != key {
			continue
		}
		if seen++; i >= l.before || seen >= l.repeat-1 {
			return true
		}
	}
	return false
}
