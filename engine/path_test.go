package engine

import "testing"

// TestRepeated has a history of 7, 8, 7 and a line of 9, then 10.
func TestRepeated(t *testing.T) {
	l := path{repeat: 3}
	l.begin([]uint64{7, 8, 7})
	l.push(9)
	l.push(10)
	for key, want := range map[uint64]bool{7: true, 8: false, 9: true, 10: true, 11: false, 9 + pathSlots: false} {
		if got := l.repeated(key); got != want {
			t.Errorf("key %d: repeated %t, want %t", key, got, want)
		}
	}
	l.pop()
	if l.repeated(10) || !l.repeated(9) {
		t.Error("10 has been taken back, 9 has not")
	}
	l.repeat = 0
	if l.repeated(9) {
		t.Error("a game without the rule")
	}
	l.repeat = 3
	if l.begin(nil); l.repeated(7) || l.repeated(9) {
		t.Error("nothing has come before")
	}
}

// TestHalts compares histories: what counts is the set of positions that have occurred twice.
func TestHalts(t *testing.T) {
	halts := func(repeat int, history ...uint64) uint64 {
		l := path{repeat: repeat}
		l.begin(history)
		return l.halts
	}
	if halts(3) != 0 || halts(3, 7, 8, 9) != 0 || halts(0, 7, 7, 7) != 0 {
		t.Error("no position has occurred twice, or the game has no such rule")
	}
	if a := halts(3, 7, 8, 7); a == 0 || a != halts(3, 7, 7, 9) || a != halts(3, 7, 7, 7) || a == halts(3, 8, 8) || a == halts(3, 7, 8, 7, 8) {
		t.Error("want a hash of the positions that have occurred twice")
	}
	if halts(3, 7, 8, 7, 8) != halts(3, 8, 8, 7, 9, 7) {
		t.Error("the order matters")
	}
}
