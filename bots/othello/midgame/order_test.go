package midgame

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/games/othello"
)

// TestOrder orders the moves of a board of which the table knows none, one or two. What the table
// knows comes first, before the others have a value; then they are ordered as without it.
func TestOrder(t *testing.T) {
	s := New(trained(t), 1, 1)
	w := randomPosition(t, nil, 30, rand.NewPCG(1, 1)).Bitboards()
	th := cutter(t, s, w, 0)
	order := func(best [2]int) (squares []int8, known bool) {
		const depth, empty = 6, 30
		moves, known := th.moves(&w, &ttEntry{best: best}, depth, empty)
		for i := range moves {
			if i > 0 || !known {
				th.order(moves, depth, empty)
			}
			squares = append(squares, pick(moves, i).square)
		}
		return squares, known
	}
	all, known := order([2]int{})
	if known || len(all) < 4 {
		t.Fatalf("moves to %d, known %v", all, known)
	}
	for _, places := range [][]int{{2}, {2, 3}, {3, 0}, {0, 1}} {
		var best [2]int
		want := all
		for i, place := range slices.Backward(places) {
			best[i] = int(all[place]) + 1
			want = slices.DeleteFunc(slices.Clone(want), func(square int8) bool { return square == all[place] })
			want = slices.Insert(want, 0, all[place])
		}
		if got, known := order(best); !known || !slices.Equal(got, want) {
			t.Errorf("table %d: %d, known %v, want %d", best, got, known, want)
		}
	}
}

// TestCachedScore compares cached evaluations with fresh ones: of a board, of two that have the
// same slot and share a side's discs, and of one with the same discs and pits.
func TestCachedScore(t *testing.T) {
	s := New(trained(t), 1, 1)
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		w := randomPosition(t, nil, 20, rand.NewPCG(r.Uint64(), 1)).Bitboards()
		if w.Moves == 0 {
			continue
		}
		own, other, pits := w, w, w
		for own.Own == w.Own || slot(own.Own, w.Other) != slot(w.Own, w.Other) {
			own.Own = r.Uint64() &^ w.Other
		}
		for other.Other == w.Other || slot(w.Own, other.Other) != slot(w.Own, w.Other) {
			other.Other = r.Uint64() &^ w.Own
		}
		pits.Ground &^= w.Empty() & (w.Empty() - 1)
		for _, b := range []othello.Bitboards{w, own, w, other, w, pits, w} {
			s.choose(b.Ground)
			th := s.threads[0]
			for range 2 {
				if got, want := th.cachedScore(&b), th.score(&b); got != want {
					t.Fatalf("%+v: %d, want %d", b, got, want)
				}
			}
		}
	}
}
