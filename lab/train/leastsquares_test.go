package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSolve fits equations whose answer is known: targets that some unknowns add
// up to, with nothing preferred.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const unknowns, n = 20, 2_000
	truth := make([]float64, unknowns)
	for i := range truth {
		truth[i] = float64(r.IntN(200) - 100)
	}
	rows, targets := make([][]int32, n), make([]float64, n)
	for i := range rows {
		for range 4 {
			j := int32(r.IntN(unknowns))
			rows[i] = append(rows[i], j)
			targets[i] += truth[j]
		}
	}
	e := equations{func(i int) []int32 { return rows[i] }, targets, unknowns}
	x := e.solve(0, 60)
	for i := range x {
		if math.Abs(x[i]-truth[i]) > 1e-6 {
			t.Errorf("unknown %d: %f, want %f", i, x[i], truth[i])
		}
	}
	if m := e.rmse(x); m > 1e-6 {
		t.Errorf("missed by %f", m)
	}
	if small := e.solve(1e6, 60); math.Abs(small[0]) > math.Abs(truth[0])/10 {
		t.Errorf("with a strong preference for small numbers: %f", small[0])
	}
}

// TestSolveRare fits an unknown that occurs once, one that occurs twice, and one that never does.
func TestSolveRare(t *testing.T) {
	rows := [][]int32{{0}, {1}, {1}}
	e := equations{func(i int) []int32 { return rows[i] }, []float64{5, 2, 4}, 3}
	for ridge, want := range map[float64][3]float64{0: {5, 3, 0}, 1: {2.5, 2, 0}} {
		for i, x := range e.solve(ridge, 10) {
			if math.Abs(x-want[i]) > 1e-9 {
				t.Errorf("ridge %g: unknown %d is %g, want %g", ridge, i, x, want[i])
			}
		}
	}
}
