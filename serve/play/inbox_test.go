package play

import (
	"errors"
	"testing"

	"quintet/live"
)

// TestInbox checks that a listener gets all entries in order, learns that it missed some when
// its inbox was full, and misses none after a reset.
func TestInbox(t *testing.T) {
	b := newInbox(0)
	for n := range 3 {
		b.deliver(live.Entry{Seq: uint64(n)})
	}
	if list, err := b.take(t.Context(), nil); err != nil || len(list) != 3 || list[2].Seq != 2 {
		t.Errorf("%v, %v, want three entries", list, err)
	}
	for n := range inboxSize + 1 {
		b.deliver(live.Entry{Seq: uint64(n)})
	}
	if list, err := b.take(t.Context(), nil); !errors.Is(err, errMissed) {
		t.Errorf("%d entries, %v, want errMissed", len(list), err)
	}
	if last, err := b.reset(t.Context(), live.NewMemory()); err != nil || last != inboxSize {
		t.Errorf("the log ends with entry %d (%v), want %d: it was delivered", last, err, inboxSize)
	}
	b.deliver(live.Entry{Seq: 7})
	if list, err := b.take(t.Context(), nil); err != nil || len(list) != 1 {
		t.Errorf("%v, %v, want one entry", list, err)
	}
}
