package train

import (
	"context"
	"math/bits"
	"testing"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
)

// TestLabels checks for the value of a search to the depth of the settings, or of the end
// of the game if few cells are empty.
func TestLabels(t *testing.T) {
	w, err := pattern.Trained()
	if err != nil {
		t.Fatal(err)
	}
	s := settings()
	s.Games = 4
	stages, err := s.samplePositions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	labels := func(depth, exact int, boards []board) []float64 {
		s := Settings{Depth: depth, Exact: exact, Threads: 2}
		values, err := s.label(context.Background(), boards, w)
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	search := midgame.New(midgame.Weights{Patterns: w}, 1, 1)
	differ := 0
	for _, boards := range stages[2:] {
		for depth := range 5 {
			for i, got := range labels(depth, 6, boards) {
				at := boards[i].words()
				search.Reset()
				want := search.Value(at, depth)
				if empty := bits.OnesCount64(at.Empty()); empty <= 6 {
					search.Reset()
					want = search.Value(at, empty)
				}
				if got != float64(want) {
					t.Errorf("depth %d, %d discs: %v, want %d", depth, bits.OnesCount64(at.Own|at.Other), got, want)
				}
				search.Reset()
				if depth > 0 && want != search.Value(at, depth-1) {
					differ++
				}
			}
		}
	}
	if differ < 50 {
		t.Errorf("only %d labels depend on the depth", differ)
	}
}

// TestSampleIsOfTheStage checks that each position belongs to the stage of its number of
// discs, and that each game gives at most one.
func TestSampleIsOfTheStage(t *testing.T) {
	s := settings()
	stages, err := s.samplePositions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for stage, boards := range stages {
		if len(boards) > s.Games {
			t.Errorf("stage %d: %d positions of %d games", stage, len(boards), s.Games)
		}
		for _, b := range boards {
			discs := bits.OnesCount64(b.own | b.other)
			if pattern.Stage(discs) != stage || b.own&b.other != 0 || b.words().Moves == 0 {
				t.Errorf("stage %d has a position of %d discs", stage, discs)
			}
		}
	}
}
