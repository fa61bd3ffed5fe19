package chess

import (
	"math/rand/v2"
	"testing"
)

// TestReach compares the tables with walking along the lines, on sparse and
// crowded boards.
func TestReach(t *testing.T) {
	r := rand.NewPCG(1, 1)
	for range 1000 {
		half, quarter := r.Uint64(), r.Uint64()
		quarter &= half
		for _, all := range []uint64{half, quarter, ^quarter} {
			for cell := range 64 {
				want := vector{1, 1}.line(cell, all) | vector{1, -1}.line(cell, all)
				if got := diagonal[cell].reach(all); got != want {
					t.Fatalf("diagonals of cell %d among %x: %x, want %x", cell, all, got, want)
				}
				want = vector{0, 1}.line(cell, all) | vector{1, 0}.line(cell, all)
				if got := straight[cell].reach(all); got != want {
					t.Fatalf("straights of cell %d among %x: %x, want %x", cell, all, got, want)
				}
			}
		}
	}
}
