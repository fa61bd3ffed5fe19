package train

import "math"

// equations is a sparse linear system: in each row, some unknowns add up to a target.
type equations struct {
	rows     func(i int) []int32
	targets  []float64
	unknowns int
}

// solve returns the ridge regression solution: it minimizes the squared errors plus
// ridge times the sum of the squared unknowns. It runs conjugate gradients on the
// normal equations, preconditioned by how often each unknown occurs (Hestenes and
// Stiefel, "Methods of conjugate gradients for solving linear systems", 1952). Unknowns that
// occur in no row are 0.
func (e equations) solve(ridge float64, rounds int) []float64 {
	scale, used := e.counts()
	for _, i := range used {
		scale[i] = 1 / (scale[i] + ridge)
	}
	x, r := make([]float64, e.unknowns), make([]float64, e.unknowns)
	e.multiplyTransposed(e.targets, r)
	p, q, ap := make([]float64, e.unknowns), make([]float64, e.unknowns), make([]float64, len(e.targets))
	before := 0.0
	for round := range rounds {
		now := 0.0
		for _, i := range used {
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
		for _, i := range used {
			p[i] = scale[i]*r[i] + turn*p[i]
		}
		e.multiply(p, ap)
		e.multiplyTransposed(ap, q)
		across := 0.0
		for _, i := range used {
			q[i] += ridge * p[i]
			across += p[i] * q[i]
		}
		step := now / across
		for _, i := range used {
			x[i] += step * p[i]
			r[i] -= step * q[i]
		}
	}
	return x
}

// counts returns how often each unknown occurs, and the unknowns that do.
func (e equations) counts() (n []float64, used []int32) {
	n = make([]float64, e.unknowns)
	for i := range e.targets {
		for _, j := range e.rows(i) {
			n[j]++
		}
	}
	for j, times := range n {
		if times > 0 {
			used = append(used, int32(j))
		}
	}
	return n, used
}

// multiply sets sums to the matrix times x.
func (e equations) multiply(x, sums []float64) {
	for i := range sums {
		s := 0.0
		for _, j := range e.rows(i) {
			s += x[j]
		}
		sums[i] = s
	}
}

// multiplyTransposed sets x to the transposed matrix times sums.
func (e equations) multiplyTransposed(sums, x []float64) {
	clear(x)
	for i, s := range sums {
		for _, j := range e.rows(i) {
			x[j] += s
		}
	}
}

// rmse returns the root mean square error of the rows.
func (e equations) rmse(x []float64) float64 {
	sum := 0.0
	for i, y := range e.targets {
		s := -y
		for _, j := range e.rows(i) {
			s += x[j]
		}
		sum += s * s
	}
	return math.Sqrt(sum / float64(max(len(e.targets), 1)))
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
