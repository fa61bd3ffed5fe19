package logistic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintet/train/logistic"
)

// syntheticSet returns a set of random positions that were labelled by known weights.
func syntheticSet(truth []float64, scale float64) *logistic.Set {
	r := rand.New(rand.NewPCG(1, 2))
	var s logistic.Set
	for range 5_000 {
		var terms []logistic.Term
		score := 10.0
		for f, w := range truth {
			count := float32(r.IntN(7) - 3)
			terms = append(terms, logistic.Term{Feature: uint16(f), Count: count})
			score += float64(count) * w
		}
		s.Add(terms, 10, logistic.Expected(score, scale))
	}
	return &s
}

func TestFit(t *testing.T) {
	truth := []float64{100, 320, -45, 0, 7}
	s := syntheticSet(truth, 400)
	weights := []float64{50, 250, 0, 30, 0}
	before := s.Error(weights, 400)
	s.Fit(weights, logistic.Settings{Scale: 400, Rounds: 800, Rate: 1}, nil)
	for i, w := range weights {
		if math.Abs(w-truth[i]) > 3 {
			t.Errorf("weight %d is %.1f, want %.0f", i, w, truth[i])
		}
	}
	if after := s.Error(weights, 400); after > before/100 {
		t.Errorf("the error goes from %g to %g", before, after)
	}
}

// TestRegularization checks that weights stay where they were if regularization outweighs
// everything.
func TestRegularization(t *testing.T) {
	s := syntheticSet([]float64{100}, 400)
	free, held := []float64{50}, []float64{50}
	s.Fit(free, logistic.Settings{Scale: 400, Rounds: 300, Rate: 1}, nil)
	s.Fit(held, logistic.Settings{Scale: 400, Rounds: 300, Rate: 1, Regularization: 1}, nil)
	if math.Abs(held[0]-50) > 1 || math.Abs(free[0]-50) < 40 {
		t.Errorf("held %.1f, free %.1f", held[0], free[0])
	}
}

func TestScale(t *testing.T) {
	truth := []float64{100, -60, 30}
	if got := syntheticSet(truth, 350).Scale(truth); math.Abs(got-350) > 3 {
		t.Errorf("scale %.1f, want 350", got)
	}
}

func TestExpected(t *testing.T) {
	for _, test := range []struct{ score, want float64 }{{0, 0.5}, {400, 10.0 / 11}, {-400, 1.0 / 11}} {
		if got := logistic.Expected(test.score, 400); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("Expected(%.0f) = %v, want %v", test.score, got, test.want)
		}
	}
}

func TestDeterministic(t *testing.T) {
	truth := []float64{100, -60, 30}
	a, b := make([]float64, 3), make([]float64, 3)
	for _, w := range [][]float64{a, b} {
		syntheticSet(truth, 400).Fit(w, logistic.Settings{Scale: 400, Rounds: 20, Rate: 2}, nil)
	}
	if a[0] != b[0] || a[1] != b[1] || a[2] != b[2] {
		t.Errorf("%v and then %v", a, b)
	}
}

// TestEmptySet fits to no positions at all: weights stay.
func TestEmptySet(t *testing.T) {
	w := []float64{5}
	var s logistic.Set
	s.Fit(w, logistic.Settings{Scale: 400, Rounds: 5, Rate: 1}, nil)
	if w[0] != 5 || s.Error(w, 400) != 0 || s.Len() != 0 {
		t.Errorf("%v, %v", w, s.Error(w, 400))
	}
}
