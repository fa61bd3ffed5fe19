package endgame

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/games/othello"
)

// TestTailAssembly compares the assembly with the portable version: the value and the number
// of nodes.
func TestTailAssembly(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2: the portable version runs, which TestTail checks")
	}
	s := NewSolver(1)
	tails(t, 20_000, func(r *rand.Rand, w othello.Bitboards) {
		empty := w.Empty()
		if bits.OnesCount64(empty) < 3 {
			return
		}
		alpha, beta := window(r)
		s.choose(w.Ground)
		before := s.nodes
		want := s.tailPlain(w.Own, w.Other, empty, oddQuadrants(empty), alpha, beta, false)
		wantNodes := int(s.nodes - before)
		got, nodes := tailAVX2(w.Own, w.Other, empty, oddQuadrants(empty), alpha, beta, s.kernel)
		if got != want || nodes != wantNodes {
			t.Fatalf("%+v between %d and %d: %d, %d nodes, want %d, %d nodes", w, alpha, beta, got, nodes, want, wantNodes)
		}
	})
}
