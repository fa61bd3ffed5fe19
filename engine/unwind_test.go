package engine

import (
	"context"
	"testing"

	"quintet/game"
)

// TestUnwind stores the score of the root while the search is below it, as another thread would.
// A helper must return that score soon.
func TestUnwind(t *testing.T) {
	const score, evaluations = 5_000, 50
	for _, test := range []struct {
		name    string
		number  int // of the thread
		depth   int // of the search
		missing int // plies of depth that the table lacks
		bound   Bound
		unwinds bool
	}{
		{"a helper", 1, 8, 0, Exact, true},
		{"a helper, searched deeper", 1, 8, -1, Exact, true},
		{"the first thread", 0, 8, 0, Exact, false},
		{"a lower depth", 1, 8, 1, Exact, false},
		{"a bound that does not cut", 1, 8, 0, LowerBound, false},
		{"too low a depth for sharing", 1, busyDepth - 1, 0, Exact, false},
	} {
		p, seen := start(t, "othello", "size=6", ""), 0
		move := p.Moves(nil)[1]
		w := threadOf(t, p, test.number, plainKnowledge(), func(w *worker) {
			if seen++; seen == evaluations {
				w.table.put(w.tableKey(0), ttEntry{move, score, test.depth - test.missing, test.bound}, 0)
			}
		})
		got, done := w.node(0, test.depth, -Won, Won, 0)
		if unwound := got == score && seen < 10*evaluations; !done || unwound != test.unwinds || w.unwind.active {
			t.Errorf("%s: score %d after %d evaluations, done %v; want %v", test.name, got, seen, done, test.unwinds)
		}
		if test.unwinds && (w.length[0] != 1 || w.pv[0][0] != move) {
			t.Errorf("%s: a line of %d moves, want the move of the table", test.name, w.length[0])
		}
	}
}

// threadOf returns a thread of a search by several, which calls a function at each evaluation.
func threadOf(t *testing.T, p Position, number int, k Knowledge, at func(*worker)) (w *worker) {
	t.Helper()
	eval := k.Eval
	k.Eval = func(p game.Position) int {
		at(w)
		return eval(p)
	}
	a := NewAlphaBeta(k, 1, 2)
	a.full = true
	r, end := NewRun(context.Background(), Limit{}, 0, 0)
	t.Cleanup(end)
	a.prepare(p, r, 0)
	w = a.workers[number]
	return w
}

// TestUnwindToTopmost stores the scores of two nodes of a line. The search unwinds to the upper
// one, and from a node whose depth is too low for sharing not at all.
func TestUnwindToTopmost(t *testing.T) {
	w := threadOf(t, start(t, "othello", "size=6", ""), 0, plainKnowledge(), func(*worker) {})
	for ply := range 5 {
		w.keys[ply], w.queries[ply] = uint64(ply+1), query{busyDepth + 3 - ply, -Won, Won}
	}
	for _, ply := range []int{0, 2, 3} {
		w.table.put(w.tableKey(ply), ttEntry{1, 100 * ply, w.queries[ply].depth, Exact}, ply)
	}
	for ply, want := range []bool{false, false, true, true, false} {
		if got := w.finished(ply); got != want || got && (w.unwind.ply != 2 || w.unwind.found.score != 200) {
			t.Errorf("ply %d: %v, unwinding %+v, want %v to ply 2 with 200", ply, got, w.unwind, want)
		}
	}
	if _, done := w.unwound(3); done {
		t.Error("the search stopped unwinding at ply 3, want 2")
	}
	if score, done := w.unwound(2); !done || score != 200 || w.unwind.active {
		t.Errorf("score %d at ply 2, done %v, want 200", score, done)
	}
}
