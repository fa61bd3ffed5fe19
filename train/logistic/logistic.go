// Package logistic fits the weights of an evaluation to results of games, by logistic
// regression.
//
// A [Set] holds positions, each as counts of a few features. [Set.Fit] finds the
// weights whose score, mapped to an expected result by [Expected], is nearest to the
// results (P. Österlund's method for his program Texel, 2014).
//
// The package works for every game. The same set and settings give the same weights.
package logistic

import "math"

// Expected returns the expected result at a score, from 0 (loss) to 1 (win). A score
// equal to scale means ten wins to one loss.
func Expected(score, scale float64) float64 { return 1 / (1 + math.Exp(-score*math.Ln10/scale)) }

// Term is a feature and its count in a position.
type Term struct {
	Feature uint16
	Count   float32
}

// Set is a training set of positions. The zero Set is empty.
type Set struct {
	terms  []Term
	ends   []int // of the terms of each position
	fixed  []float32
	target []float32
}

// Add adds a position: its terms, the part of its score that is not trained, and the
// target result from 0 to 1. It copies the terms.
func (s *Set) Add(terms []Term, fixed, target float64) {
	s.terms = append(s.terms, terms...)
	s.ends = append(s.ends, len(s.terms))
	s.fixed = append(s.fixed, float32(fixed))
	s.target = append(s.target, float32(target))
}

// Len returns the number of positions.
func (s *Set) Len() int { return len(s.ends) }

// position returns the terms of a position.
func (s *Set) position(i int) []Term {
	begin := 0
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.terms[begin:s.ends[i]]
}

// score returns the score of a position.
func (s *Set) score(i int, weights []float64) float64 {
	score := float64(s.fixed[i])
	for _, t := range s.position(i) {
		score += float64(t.Count) * weights[t.Feature]
	}
	return score
}

// Error returns the mean squared error of the expected results.
func (s *Set) Error(weights []float64, scale float64) float64 {
	sum := 0.0
	for i := range s.ends {
		d := Expected(s.score(i, weights), scale) - float64(s.target[i])
		sum += d * d
	}
	return sum / float64(max(s.Len(), 1))
}

// Scale returns the scale between 50 and 5000 with the least error, by ternary
// search.
func (s *Set) Scale(weights []float64) float64 {
	low, high := 50.0, 5000.0
	for high-low > 1 { // the error is unimodal
		a, b := low+(high-low)/3, high-(high-low)/3
		if s.Error(weights, a) < s.Error(weights, b) {
			high = b
		} else {
			low = a
		}
	}
	return (low + high) / 2
}

// Settings are the hyperparameters of a fit.
type Settings struct {
	Scale          float64 // see Expected
	Rounds         int     // epochs over the whole set
	Rate           float64 // learning rate: about how far a weight moves in a round
	Regularization float64 // L2 penalty for a difference of one from the initial weight
}

// The constants of Adam (Kingma and Ba, 2014), as its authors propose them.
const (
	firstDecay  = 0.9
	secondDecay = 0.999
)

// Fit minimizes the error by full-batch Adam, starting from the weights, which it
// updates in place. It calls report, if not nil, after each round.
func (s *Set) Fit(weights []float64, o Settings, report func(round int, err float64)) {
	start := append([]float64(nil), weights...)
	mean, square := make([]float64, len(weights)), make([]float64, len(weights))
	gradient := make([]float64, len(weights))
	for round := 1; round <= o.Rounds; round++ {
		err := s.gradient(weights, o.Scale, gradient)
		if report != nil {
			report(round, err)
		}
		c1, c2 := 1-math.Pow(firstDecay, float64(round)), 1-math.Pow(secondDecay, float64(round))
		for i, g := range gradient {
			g += 2 * o.Regularization * (weights[i] - start[i])
			mean[i] += (g - mean[i]) * (1 - firstDecay)
			square[i] += (g*g - square[i]) * (1 - secondDecay)
			weights[i] -= o.Rate * mean[i] / c1 / (math.Sqrt(square[i]/c2) + 1e-12)
		}
	}
}

// gradient computes the gradient of the error and returns the error.
func (s *Set) gradient(weights []float64, scale float64, gradient []float64) (err float64) {
	clear(gradient)
	for i := range s.ends {
		e := Expected(s.score(i, weights), scale)
		d := e - float64(s.target[i])
		err += d * d
		slope := 2 * d * e * (1 - e) * math.Ln10 / scale
		for _, t := range s.position(i) {
			gradient[t.Feature] += slope * float64(t.Count)
		}
	}
	n := float64(max(s.Len(), 1))
	for i := range gradient {
		gradient[i] /= n
	}
	return err / n
}
