package puzzles_test

import (
	"context"
	"slices"
	"testing"

	"quintet/games"
	"quintet/lab/puzzles"
	"quintet/learn/puzzle"
)

// TestGrade checks that each tenth of a set gets one difficulty, whatever the order of the set, and that
// the effort is reproducible.
func TestGrade(t *testing.T) {
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	all, err := puzzle.Embedded(g.Name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := puzzles.NewMaker(g, 1)
	if err != nil {
		t.Fatal(err)
	}
	graded := func(list []puzzle.Puzzle) map[string]int {
		if err := m.Grade(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		of, each := map[string]int{}, make([]int, puzzle.Difficulties+1)
		for _, p := range list {
			of[p.ID] = p.Difficulty
			each[p.Difficulty]++
		}
		if slices.Max(each[1:]) > 2 || slices.Min(each[1:]) < 2 {
			t.Errorf("puzzles of each difficulty: %v, want 2", each[1:])
		}
		return of
	}
	some := slices.Clone(append(all[:10:10], all[len(all)-10:]...))
	first := graded(some)
	slices.Reverse(some)
	for id, d := range graded(some) {
		if d != first[id] {
			t.Errorf("%s: difficulty %d, then %d", id, first[id], d)
		}
	}
	if e, h := first[all[0].ID], first[all[len(all)-1].ID]; e >= h {
		t.Errorf("the easiest puzzle of the set has difficulty %d, the hardest %d", e, h)
	}
	ended, end := context.WithCancel(t.Context())
	if end(); m.Grade(ended, some) == nil {
		t.Error("an ended context: no error")
	}
}
