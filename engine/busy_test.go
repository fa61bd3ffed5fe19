package engine

import (
	"context"
	"testing"
)

// TestBusy checks that a move is being searched from begin to end, and that the end of one
// move is not that of another in its slot.
func TestBusy(t *testing.T) {
	var b Busy
	key := NewMoveKey(1, 2, 3)
	other := key + MoveKey(2*len(b.slots)) // the same slot
	if b.slot(key) != b.slot(other) || key == other {
		t.Fatal("the keys do not share a slot")
	}
	if b.Searching(key) || b.Searching(1) {
		t.Error("an empty table has a move that is being searched")
	}
	b.Begin(key)
	if !b.Searching(key) || b.Searching(other) {
		t.Error("want the move that begins to be searched, and no other")
	}
	b.Begin(other)
	b.End(key)
	if !b.Searching(other) || b.Searching(key) {
		t.Error("the end of a move that was overwritten ended the other")
	}
	b.End(other)
	if b.Searching(other) {
		t.Error("a move is searched after its end")
	}
	for _, k := range []MoveKey{NewMoveKey(2, 2, 3), NewMoveKey(1, 3, 3), NewMoveKey(1, 2, 4)} {
		if k == key {
			t.Error("another position, move or depth has the same key")
		}
	}
}

// TestPutOff checks that moves that another thread is searching come last, are not
// forgotten, and do not change the score.
func TestPutOff(t *testing.T) {
	const depth = busyDepth
	k, p := plainKnowledge(), start(t, "othello", "size=6", "d2 c2")
	a := NewAlphaBeta(k, 1, 1)
	a.full = true
	want := minimax(k, p, depth, 0, nil)
	best := a.Search(context.Background(), p, Limit{Depth: depth}, nil).Best()
	for _, all := range []bool{false, true} {
		a.Reset()
		r, end := NewRun(context.Background(), Limit{}, 0, 0)
		defer end()
		a.prepare(p, r, 0)
		w := a.workers[0]
		w.busy, w.bounds = &a.busy, new(moveBounds)
		busy := 0
		for _, m := range p.Moves(nil) {
			if all || m == best {
				w.busy.Begin(NewMoveKey(p.Key(), uint64(m), depth))
				busy++
			}
		}
		score, done := w.node(0, depth, -Won, Won, 0)
		if score != want || !done || w.pv[0][0] != best {
			t.Errorf("%d busy moves: score %d with %v first, want %d with %v", busy, score, w.pv[0][0], want, best)
		}
		if n := len(w.later[0]); n < busy-2 || n == 0 { // the first is never put off, and slots collide
			t.Errorf("%d of %d busy moves were put off", n, busy)
		}
	}
}
