package engine

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFirst compares first with its plain twin, for lists of every length up to 80 from
// every index on. Few different values make ties, of which the first must be found.
func TestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 80; n++ {
		for _, different := range []int{1, 2, 5, 1 << 31} {
			buffer := make([]int32, n+8)
			for i := range buffer {
				buffer[i] = int32(r.IntN(different)) - int32(different/2)
			}
			values := buffer[:n]
			values[r.IntN(n)] = []int32{math.MinInt32, 0, math.MaxInt32}[r.IntN(3)]
			for i := range buffer[n:] {
				buffer[n+i] = math.MaxInt32 // beyond the end
			}
			for i := range n {
				scalar, got, want := firstScalar(values, i), first(values, i), firstPlain(values, i)
				if got != want || scalar != want {
					t.Fatalf("%v from %d on: index %d, without vectors %d, want %d", values, i, got, scalar, want)
				}
			}
		}
	}
}

// firstPlain is the plain twin of first.
func firstPlain(values []int32, i int) int {
	best, top := i, values[i]
	for j, v := range values[i+1:] {
		if v > top {
			best, top = i+1+j, v
		}
	}
	return best
}
