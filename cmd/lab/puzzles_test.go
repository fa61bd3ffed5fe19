package main

import (
	"slices"
	"testing"

	"quintet/learn/puzzle"
)

// TestPuzzleList checks that a list takes every puzzle once, and at most a number of each
// difficulty.
func TestPuzzleList(t *testing.T) {
	offered := []puzzle.Puzzle{{ID: "a", Difficulty: 1}, {ID: "a", Difficulty: 1}, {ID: "b", Difficulty: 1}, {ID: "c", Difficulty: 1}, {ID: "d", Difficulty: 10}}
	for _, c := range []struct {
		each int
		want []bool
	}{
		{0, []bool{true, false, true, true, true}},
		{1, []bool{true, false, false, false, true}},
		{2, []bool{true, false, true, false, true}},
	} {
		list := puzzleList{ids: map[string]bool{}, each: c.each}
		var got []bool
		for i := range offered {
			got = append(got, list.add(&offered[i]))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("at most %d each: %v, want %v", c.each, got, c.want)
		}
	}
}
