package train

import "math"

// equations are what a fit solves: for each row, the sum of some unknowns is a
// target.
type equations[R ~[]int32] struct {
	rows     func(i int) R
	targets  []float64
	unknowns int
}

// solve returns the unknowns that miss the targets by the least squares, with
// small ones preferred: ridge times the sum of their squares is added to what is
// made small. It is the method of conjugate gradients on the normal equations,
// each unknown scaled by how often it occurs (Hestenes and Stiefel, "Methods of
// conjugate gradients for solving linear systems", 1952).
func (e equations[R]) solve(start []float64, ridge float64, rounds int) []float64 {
	x := append([]float64(nil), start...)
	scale := e.counts()
	for i := range scale {
		scale[i] = 1 / (scale[i] + ridge)
	}
	ax := make([]float64, len(e.targets))
	e.times(x, ax)
	for i, y := range e.targets {
		ax[i] = y - ax[i]
	}
	r := make([]float64, e.unknowns)
	e.transposed(ax, r)
	for i := range r {
		r[i] -= ridge * x[i]
	}
	p, q := make([]float64, e.unknowns), make([]float64, e.unknowns)
	before := 0.0
	for round := range rounds {
		now := 0.0
		for i := range r {
			now += r[i] * r[i] * scale[i]
		}
		if now == 0 {
			break
		}
		turn := 0.0
		if round > 0 {
			turn = now / before
		}
		before = now
		for i := range p {
			p[i] = scale[i]*r[i] + turn*p[i]
		}
		e.times(p, ax)
		e.transposed(ax, q)
		across := 0.0
		for i := range q {
			q[i] += ridge * p[i]
			across += p[i] * q[i]
		}
		step := now / across
		for i := range x {
			x[i] += step * p[i]
			r[i] -= step * q[i]
		}
	}
	return x
}

// counts returns how often each unknown occurs.
func (e equations[R]) counts() []float64 {
	n := make([]float64, e.unknowns)
	for i := range e.targets {
		for _, j := range e.rows(i) {
			n[j]++
		}
	}
	return n
}

// times sets sums to what the rows add up to.
func (e equations[R]) times(x, sums []float64) {
	for i := range sums {
		s := 0.0
		for _, j := range e.rows(i) {
			s += x[j]
		}
		sums[i] = s
	}
}

// transposed sets x to the sums of the rows in which each unknown occurs.
func (e equations[R]) transposed(sums, x []float64) {
	clear(x)
	for i, s := range sums {
		for _, j := range e.rows(i) {
			x[j] += s
		}
	}
}

// miss returns the root of the mean square by which the rows from one on miss
// their targets.
func (e equations[R]) miss(x []float64, from int) float64 {
	sum := 0.0
	for i := from; i < len(e.targets); i++ {
		s := -e.targets[i]
		for _, j := range e.rows(i) {
			s += x[j]
		}
		sum += s * s
	}
	return math.Sqrt(sum / float64(max(len(e.targets)-from, 1)))
}
