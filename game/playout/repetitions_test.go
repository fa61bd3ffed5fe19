package playout

import (
	"math"
	"testing"
)

// TestRepetitions counts positions over many games in one table, which grows no more than
// one game needs, also where the number of games overflows.
func TestRepetitions(t *testing.T) {
	var s repetitions
	s.clear()
	for range 10 {
		for game := range 50 {
			for key := range uint64(minSlots/2 - 1) {
				if n := s.add(key << 20); n != 1 {
					t.Fatalf("game %d: key %d is there %d times at first", game, key, n)
				}
			}
			if n := s.add(3 << 20); n != 2 {
				t.Fatalf("game %d: %d times, want 2", game, n)
			}
			s.clear()
		}
		s.game = math.MaxUint32 - 3 // soon it overflows
	}
	if len(s.slots) > 2*minSlots {
		t.Errorf("%d slots after games of %d positions", len(s.slots), minSlots/2)
	}
	for key := range uint64(5 * minSlots) {
		s.add(key)
	}
	for key := range uint64(5 * minSlots) {
		if n := s.add(key); n != 2 {
			t.Fatalf("after growing, key %d is there %d times, want 2", key, n)
		}
	}
}
