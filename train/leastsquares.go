package train

import "math"

// equations is a sparse linear system: in each row, some unknowns add up to a target.
type equations[R ~[]int32] struct {
	rows     func(i int) R
	targets  []float64
	unknowns int
}

// solve returns the ridge regression solution: it minimizes the squared errors plus
// ridge times the sum of the squared unknowns. It runs conjugate gradients on the
// normal equations, preconditioned by how often each unknown occurs (Hestenes and
// Stiefel, "Methods of conjugate gradients for solving linear systems", 1952).
func (e equations[R]) solve(start []float64, ridge float64, rounds int) []float64 {
	x := append([]float64(nil), start...)
	scale := e.counts()
	for i := range scale {
		scale[i] = 1 / (scale[i] + ridge)
	}
	ax := make([]float64, len(e.targets))
	e.multiply(x, ax)
	for i, y := range e.targets {
		ax[i] = y - ax[i]
	}
	r := make([]float64, e.unknowns)
	e.multiplyTransposed(ax, r)
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
		e.multiply(p, ax)
		e.multiplyTransposed(ax, q)
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

// multiply sets sums to the matrix times x.
func (e equations[R]) multiply(x, sums []float64) {
	for i := range sums {
		s := 0.0
		for _, j := range e.rows(i) {
			s += x[j]
		}
		sums[i] = s
	}
}

// multiplyTransposed sets x to the transposed matrix times sums.
func (e equations[R]) multiplyTransposed(sums, x []float64) {
	clear(x)
	for i, s := range sums {
		for _, j := range e.rows(i) {
			x[j] += s
		}
	}
}

// rmse returns the root mean square error of the rows starting at from.
func (e equations[R]) rmse(x []float64, from int) float64 {
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
