package train

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"quintet/bots/othello/linear"
)

// unknowns is the number of weights.
const unknowns = linear.Features * linear.Bases * linear.Knots

// heldOutBoards is the share of positions that do not take part in the fit: one in 20.
const heldOutBoards = 20

// The penalties: on the squares of the differences of weights from those of the players, for
// each property of a board, and of the weights of a feature in two successive phases. They are
// large because the positions of a game share its end.
var ridgeBoards = [linear.Bases]float64{20, 200, 200}

const smoothBoards = 60.0

// term is a weight and its factor in a position.
type term struct {
	unknown int
	factor  float64
}

// fitBoards returns the weights by logistic regression: the expected result of a position is
// that of the margin at the end of its game. A margin of the square root of the number of cells
// is taken for 88 % of a point, so that the size of clear wins matters little.
func fitBoards(ctx context.Context, samples []boardSample, from *linear.Weights, progress func(string)) (*linear.Weights, error) {
	f := boardFit{prior: flatten(from), weights: make([]float64, unknowns)}
	const steps = 6
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err //nolint:wrapcheck // the caller says what was being done
		}
		loss, heldOut := f.newton(samples)
		progress(fmt.Sprintf("step %d: %d positions, cross-entropy %.5f, held out %.5f", step+1, len(samples), loss, heldOut))
	}
	w := new(linear.Weights)
	for i, x := range f.weights {
		w[i/(linear.Bases*linear.Knots)][i/linear.Knots%linear.Bases][i%linear.Knots] = x
	}
	return asWritten(w) // so that the next round plays with the same weights, here and on other machines
}

// asWritten returns weights with the precision of a file.
func asWritten(w *linear.Weights) (*linear.Weights, error) {
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		return nil, err //nolint:wrapcheck // it says what failed
	}
	return linear.Read(&file) //nolint:wrapcheck // the same
}

// flatten returns weights as a list, those of the phases of a feature next to each other.
func flatten(w *linear.Weights) (list []float64) {
	for f := range w {
		for b := range w[f] {
			list = append(list, w[f][b][:]...)
		}
	}
	return list
}

type boardFit struct {
	prior    []float64 // the weights of the players
	weights  []float64
	hessian  [][]float64
	gradient []float64
	terms    []term // of a position: scratch
}

// newton takes a step of Newton's method and returns the mean cross-entropies before it.
func (f *boardFit) newton(samples []boardSample) (loss, heldOut float64) {
	f.gradient, f.hessian = make([]float64, unknowns), make([][]float64, unknowns)
	for i := range f.hessian {
		f.hessian[i] = make([]float64, unknowns)
		f.penalize(i)
	}
	var n [2]float64
	for i := range samples {
		part := 0
		if i/100%heldOutBoards == 0 { // runs of 100, which share games with the rest only at their ends
			part = 1
		}
		l := f.add(&samples[i], part == 0)
		n[part]++
		if part == 0 {
			loss += l
		} else {
			heldOut += l
		}
	}
	step := solveSymmetric(f.hessian, f.gradient)
	for i, x := range step {
		f.weights[i] += x
	}
	return loss / max(n[0], 1), heldOut / max(n[1], 1)
}

// penalize adds the derivatives of the penalties on a weight.
func (f *boardFit) penalize(i int) {
	ridge := ridgeBoards[i/linear.Knots%linear.Bases]
	f.hessian[i][i] += ridge
	f.gradient[i] -= ridge * (f.weights[i] - f.prior[i])
	if i%linear.Knots == 0 {
		return
	}
	step := (f.weights[i] - f.prior[i]) - (f.weights[i-1] - f.prior[i-1])
	f.hessian[i][i] += smoothBoards
	f.hessian[i-1][i-1] += smoothBoards
	f.hessian[i][i-1] -= smoothBoards
	f.gradient[i] -= smoothBoards * step
	f.gradient[i-1] += smoothBoards * step
}

// add returns the cross-entropy of a position and, if wanted, adds its derivatives.
func (f *boardFit) add(s *boardSample, learn bool) float64 {
	scale := math.Sqrt(float64(s.shape.Cells())) / 2
	f.terms = f.terms[:0]
	z := 0.0
	for b, list := range s.shape.Terms(s.empty) {
		for k, x := range list {
			if x == 0 {
				continue
			}
			for feature, count := range s.row {
				if count != 0 {
					at := (feature*linear.Bases+b)*linear.Knots + k
					f.terms = append(f.terms, term{at, x * float64(count) / scale})
					z += f.weights[at] * x * float64(count) / scale
				}
			}
		}
	}
	p, y := 1/(1+math.Exp(-z)), 1/(1+math.Exp(-float64(s.margin)/scale))
	if learn {
		f.derive(y-p, p*(1-p))
	}
	return -y*math.Log(max(p, 1e-12)) - (1-y)*math.Log(max(1-p, 1e-12))
}

// derive adds the derivatives of a position with an error and a curvature.
func (f *boardFit) derive(miss, curvature float64) {
	for i, t := range f.terms {
		f.gradient[t.unknown] += miss * t.factor
		row, c := f.hessian[t.unknown], curvature*t.factor
		for _, u := range f.terms[:i+1] {
			row[u.unknown] += c * u.factor
		}
	}
}

// solveSymmetric solves a symmetric, positive definite system by Cholesky decomposition. Of each
// pair of mirrored entries it adds both, so that one of them may hold the value.
func solveSymmetric(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := range i {
			a[i][j] += a[j][i]
		}
	}
	x := append([]float64(nil), b...)
	for i := range n {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}
