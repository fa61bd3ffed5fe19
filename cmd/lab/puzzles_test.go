package main

import (
	"testing"

	"quintet/learn/puzzle"
)

// TestPuzzleList checks that a list takes every puzzle once.
func TestPuzzleList(t *testing.T) {
	list := puzzleList{}
	for i, id := range []string{"a", "a", "b"} {
		if got, want := list.add(&puzzle.Puzzle{ID: id}), i != 1; got != want {
			t.Errorf("puzzle %d, %s: added %t, want %t", i, id, got, want)
		}
	}
}
