package endgame

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games/othello"
)

// tails calls f with boards on which few cells are empty: those of random games, on which both
// sides can often move, and random discs, on which they often cannot.
func tails(t testing.TB, n int, f func(r *rand.Rand, w othello.Bitboards)) {
	t.Helper()
	source := rand.NewPCG(9, 9)
	r := rand.New(source)
	for i := range n {
		setup := []game.Setup{nil, {"size": "6"}, {"pits": "a1,c3,g6"}, {"pits": "b2,b3,c2,e7,h3,h6,d8"}, {"size": "4", "pits": "b1"}}[i%5]
		p, err := othello.Game.Start(setup)
		if err != nil {
			t.Fatal(err)
		}
		want := 1 + i/5%6
		for !p.Result().Over() && bits.OnesCount64(p.(*othello.Small).Bitboards().Empty()) > want {
			p.Play(game.Sample(p, source, nil))
		}
		w := p.(*othello.Small).Bitboards()
		if i%2 == 0 || bits.OnesCount64(w.Empty()) != want {
			w = scatter(r, w.Ground, want)
		}
		f(r, w)
	}
}

// scatter returns a board with random discs and the given number of empty cells.
func scatter(r *rand.Rand, ground uint64, empty int) othello.Bitboards {
	var cells uint64
	for bits.OnesCount64(cells) < empty {
		cells |= ground & (1 << r.IntN(64))
	}
	own := ground &^ cells & r.Uint64()
	if r.IntN(2) == 0 {
		own &= r.Uint64() // few discs of one side: passes
	}
	w := othello.Bitboards{Own: ground &^ cells &^ own, Other: own, Ground: ground}
	return w.Pass()
}

// window returns a window of one disc, or a wider one.
func window(r *rand.Rand) (alpha, beta int) {
	alpha = r.IntN(140) - 70
	if r.IntN(2) == 0 {
		return alpha, alpha + 1
	}
	return alpha, alpha + 1 + r.IntN(60)
}

// TestTail compares the last plies with minimax: the value between the borders of the window,
// a bound outside.
func TestTail(t *testing.T) {
	s := NewSolver(1)
	tails(t, 6_000, func(r *rand.Rand, w othello.Bitboards) {
		alpha, beta := window(r)
		want := minimax(w, false)
		s.choose(w.Ground)
		got := s.tail(w.Own, w.Other, w.Empty(), alpha, beta)
		switch {
		case want <= alpha && got <= alpha && got >= want, want >= beta && got >= beta && got <= want, got == want:
		default:
			t.Fatalf("%+v between %d and %d: %d, want %d", w, alpha, beta, got, want)
		}
	})
}

// minimax returns the value of a board.
func minimax(w othello.Bitboards, passed bool) int {
	switch {
	case w.Moves == 0 && passed:
		return -Final(w.Pass())
	case w.Moves == 0:
		return -minimax(w.Pass(), true)
	}
	best := -infinite
	for m := w.Moves; m != 0; m &= m - 1 {
		best = max(best, -minimax(w.Play(bits.TrailingZeros64(m)), false))
	}
	return best
}

// BenchmarkTail solves boards with six empty cells.
func BenchmarkTail(b *testing.B) {
	s := NewSolver(1)
	var boards []othello.Bitboards
	tails(b, 5_000, func(_ *rand.Rand, w othello.Bitboards) {
		if w.Ground == ^uint64(0) && bits.OnesCount64(w.Empty()) == 6 {
			boards = append(boards, w)
		}
	})
	s.choose(boards[0].Ground)
	for b.Loop() {
		for _, w := range boards {
			s.tail(w.Own, w.Other, w.Empty(), 0, 1)
		}
	}
	b.ReportMetric(float64(s.nodes)/b.Elapsed().Seconds()/1e6, "Mpositions/s")
}

// TestOddQuadrants counts the empty cells of each quadrant.
func TestOddQuadrants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 1000 {
		empty, want := r.Uint64()&r.Uint64(), uint64(0)
		for _, q := range []uint64{0x0f0f0f0f, 0xf0f0f0f0, 0x0f0f0f0f << 32, 0xf0f0f0f0 << 32} {
			if bits.OnesCount64(empty&q)%2 == 1 {
				want |= q
			}
		}
		if got := oddQuadrants(empty); got != want {
			t.Fatalf("%#x: %#x, want %#x", empty, got, want)
		}
	}
}
