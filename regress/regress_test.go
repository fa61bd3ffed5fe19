package regress_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintet/regress"
)

// made returns a set of random positions that were labelled by known weights.
func made(truth []float64, scale float64) *regress.Set {
	r := rand.New(rand.NewPCG(1, 2))
	var s regress.Set
	for range 5_000 {
		var terms []regress.Term
		score := 10.0
		for f, w := range truth {
			count := float32(r.IntN(7) - 3)
			terms = append(terms, regress.Term{Feature: uint16(f), Count: count})
			score += float64(count) * w
		}
		s.Add(terms, 10, regress.Expected(score, scale))
	}
	return &s
}

func TestFit(t *testing.T) {
	truth := []float64{100, 320, -45, 0, 7}
	s := made(truth, 400)
	weights := []float64{50, 250, 0, 30, 0}
	before := s.Error(weights, 400)
	s.Fit(weights, regress.Settings{Scale: 400, Rounds: 800, Rate: 1}, nil)
	for i, w := range weights {
		if math.Abs(w-truth[i]) > 3 {
			t.Errorf("weight %d is %.1f, want %.0f", i, w, truth[i])
		}
	}
	if after := s.Error(weights, 400); after > before/100 {
		t.Errorf("the error goes from %g to %g", before, after)
	}
}

// TestPull wants weights that stay where they were if that counts above all.
func TestPull(t *testing.T) {
	s := made([]float64{100}, 400)
	free, held := []float64{50}, []float64{50}
	s.Fit(free, regress.Settings{Scale: 400, Rounds: 300, Rate: 1}, nil)
	s.Fit(held, regress.Settings{Scale: 400, Rounds: 300, Rate: 1, Pull: 1}, nil)
	if math.Abs(held[0]-50) > 1 || math.Abs(free[0]-50) < 40 {
		t.Errorf("held %.1f, free %.1f", held[0], free[0])
	}
}

func TestScale(t *testing.T) {
	truth := []float64{100, -60, 30}
	if got := made(truth, 350).Scale(truth); math.Abs(got-350) > 3 {
		t.Errorf("scale %.1f, want 350", got)
	}
}

func TestExpected(t *testing.T) {
	for _, test := range []struct{ score, want float64 }{{0, 0.5}, {400, 10.0 / 11}, {-400, 1.0 / 11}} {
		if got := regress.Expected(test.score, 400); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("Expected(%.0f) = %v, want %v", test.score, got, test.want)
		}
	}
}

func TestDeterministic(t *testing.T) {
	truth := []float64{100, -60, 30}
	a, b := make([]float64, 3), make([]float64, 3)
	for _, w := range [][]float64{a, b} {
		made(truth, 400).Fit(w, regress.Settings{Scale: 400, Rounds: 20, Rate: 2}, nil)
	}
	if a[0] != b[0] || a[1] != b[1] || a[2] != b[2] {
		t.Errorf("%v and then %v", a, b)
	}
}

// TestNothing fits to no positions at all: weights stay.
func TestNothing(t *testing.T) {
	w := []float64{5}
	var s regress.Set
	s.Fit(w, regress.Settings{Scale: 400, Rounds: 5, Rate: 1}, nil)
	if w[0] != 5 || s.Error(w, 400) != 0 || s.Len() != 0 {
		t.Errorf("%v, %v", w, s.Error(w, 400))
	}
}
