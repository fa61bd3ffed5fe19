package engine

import (
	"context"
	"testing"
)

// TestMoveBounds checks that a bound is found under its own key only, and that proofs are not
// stored.
func TestMoveBounds(t *testing.T) {
	key := NewMoveKey(1, 2, 3)
	for _, bound := range []int{-MaxEval, -1, 0, 1, MaxEval} {
		var m moveBounds
		if _, ok := m.get(key); ok {
			t.Error("an empty table has a bound")
		}
		m.put(key, bound)
		if got, ok := m.get(key); !ok || got != bound {
			t.Errorf("bound %d: got %d, %v", bound, got, ok)
		}
		if _, ok := m.get(key + 1<<(boundBits+moveBoundsBits)); ok {
			t.Error("another move of the same entry has the bound")
		}
	}
	for _, proof := range []int{MaxEval + 1, -MaxEval - 1} {
		var m moveBounds
		if m.put(key, proof); m.entry(key).Load() != 0 {
			t.Errorf("the proof %d was stored", proof)
		}
	}
}

// TestSharedBounds checks that the bounds of moves that a search stores are right, and that it
// skips a move only if its bound is not above alpha.
func TestSharedBounds(t *testing.T) {
	const depth = busyDepth
	k, p := plainKnowledge(), start(t, "othello", "size=6", "d2 c2")
	want := minimax(k, p, depth, 0, nil)
	for _, test := range []struct {
		name  string
		known int // the bound of each move; 0 for none
		beta  int
		all   bool
	}{
		{"none known", 0, Won, true},
		{"useless", MaxEval, Won, true},
		{"all low", -MaxEval, Won, false},
	} {
		a := NewAlphaBeta(k, 1, 1)
		a.full = true
		r, end := NewRun(context.Background(), Limit{}, 0, 0)
		defer end()
		a.prepare(p, r, 0)
		w := a.workers[0]
		w.busy, w.bounds = &a.busy, new(moveBounds)
		for _, m := range p.Moves(nil) {
			if test.known != 0 {
				w.bounds.put(NewMoveKey(p.Key(), uint64(m), depth), test.known)
			}
		}
		score, _ := w.node(0, depth, -Won, test.beta, 0)
		if (score >= min(want, test.beta)) != test.all || score > want {
			t.Errorf("%s: score %d, the value is %d", test.name, score, want)
		}
		stored := 0
		for _, m := range p.Moves(nil) {
			bound, ok := w.bounds.get(NewMoveKey(p.Key(), uint64(m), depth))
			if !ok || bound == test.known {
				continue
			}
			stored++
			child := Position{Position: p.Clone()}
			child.Play(m)
			if value := -minimax(k, child, depth-1, 1, nil); value > bound {
				t.Errorf("%s: %v has the bound %d and the value %d", test.name, m, bound, value)
			}
		}
		if (stored > 0) != test.all {
			t.Errorf("%s: %d bounds were stored", test.name, stored)
		}
	}
}

// TestOnlyUpperBoundsAreShared searches the best move with windows below and above its value:
// a move that fails high has no upper bound.
func TestOnlyUpperBoundsAreShared(t *testing.T) {
	const depth = busyDepth
	k, p := plainKnowledge(), start(t, "othello", "size=6", "d2 c2")
	a := NewAlphaBeta(k, 1, 1)
	a.full = true
	line := a.Search(context.Background(), p, Limit{Depth: depth}, nil)
	for _, alpha := range []int{line.Score - 2, line.Score} {
		a.Reset()
		r, end := NewRun(context.Background(), Limit{}, 0, 0)
		defer end()
		a.prepare(p, r, 0)
		w, m := a.workers[0], line.Best()
		w.busy, w.bounds = &a.busy, new(moveBounds)
		w.play(0, m)
		score, _ := w.searchShared(0, depth, 0, alpha, alpha+1, m, 1, 0)
		bound, ok := w.bounds.get(NewMoveKey(p.Key(), uint64(m), depth))
		if low := score <= alpha; ok != low || ok && bound != score || low != (alpha == line.Score) {
			t.Errorf("alpha %d, score %d of %d: bound %d, %v", alpha, score, line.Score, bound, ok)
		}
	}
}
