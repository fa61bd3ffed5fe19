package linear

import "math"

// knots are the shares of cells with discs between which weights are interpolated.
var knots = [Knots]float64{0.1, 0.3, 0.5, 0.7, 0.85, 0.97}

const (
	// Knots is the number of phases.
	Knots = 6

	// Bases is the number of properties of a board by which weights vary: 1, the inverse of its
	// size, and the share of pits.
	Bases = 3
)

// Weights are the weights of the features in discs, for each phase and property of a board.
type Weights [Features][Bases][Knots]float64

// Terms returns the products that the weights of a feature are multiplied with on a board of a
// shape, for a number of empty cells.
func (s *Shape) Terms(empty int) (terms [Bases][Knots]float64) {
	cells := s.Cells()
	all := float64(s.Size * s.Size)
	bases := [Bases]float64{1, 10/float64(s.Size) - 1, 5 * (1 - float64(cells)/all)}
	low, part := phase(1 - float64(empty)/float64(cells))
	for i, b := range bases {
		terms[i][low] = b * (1 - part)
		terms[i][low+1] = b * part
	}
	return terms
}

// phase returns the knot before a share of cells with discs, and how far the share is on the
// way to the next.
func phase(share float64) (low int, part float64) {
	for low < Knots-2 && share > knots[low+1] {
		low++
	}
	part = (share - knots[low]) / (knots[low+1] - knots[low])
	return low, min(max(part, 0), 1)
}

// fixed is the factor by which the weights of an Evaluator are stored.
const fixed = 1 << 8

// Evaluator holds the weights for the boards of a shape, by the number of empty cells.
type Evaluator struct {
	weights [][Features]int32
	limit   int
}

// NewEvaluator prepares the evaluation of boards of a shape.
func NewEvaluator(w *Weights, s *Shape) *Evaluator {
	cells := s.Cells()
	e := &Evaluator{make([][Features]int32, cells+1), Limit(cells)}
	for empty := range e.weights {
		terms := s.Terms(empty)
		for f := range w {
			sum := 0.0
			for b, list := range w[f] {
				for k, x := range list {
					sum += x * terms[b][k]
				}
			}
			e.weights[empty][f] = int32(math.Round(sum * Unit * fixed))
		}
	}
	return e
}

// Score returns the evaluation of a board with these features, in hundredths of a disc.
func (e *Evaluator) Score(r *Row, empty int) int {
	sum := 0
	for f, w := range &e.weights[empty] {
		sum += int(w) * int(r[f])
	}
	return min(max(sum/fixed, -e.limit), e.limit)
}
