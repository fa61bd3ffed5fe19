package othello

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestChildren compares the boards after all moves with those after each, and the assembly with
// the portable version.
func TestChildren(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 20_000 {
		ground := r.Uint64() | r.Uint64() | r.Uint64()
		own := ground & r.Uint64() & r.Uint64()
		w := Bitboards{Own: own, Other: ground & r.Uint64() &^ own, Ground: ground}
		w.Moves = replies(w.Own, w.Other, ground)
		var got, plain [64]Bitboards
		n := w.Children(&got)
		childrenPlain(w.Own, w.Other, ground, w.Moves, &plain)
		if n != bits.OnesCount64(w.Moves) || got != plain {
			t.Fatalf("%+v: %d children %+v, want %+v", w, n, got[:n], plain[:bits.OnesCount64(w.Moves)])
		}
		for i, m := 0, w.Moves; m != 0; i, m = i+1, m&(m-1) {
			if want := w.Play(bits.TrailingZeros64(m)); got[i] != want {
				t.Fatalf("%+v: child %d is %+v, want %+v", w, i, got[i], want)
			}
		}
	}
}
