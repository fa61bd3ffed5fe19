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
