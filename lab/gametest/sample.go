package gametest

import (
	"math/rand/v2"

	"quintet/game"
)

// checkSamples draws many moves in a few positions of a random game and tests that
// they are uniformly distributed.
func checkSamples(t TB, start game.Position) {
	t.Helper()
	if _, ok := start.(game.Sampler); !ok {
		return
	}
	r := newRand(1)
	p := start.Clone()
	for ply := 0; len(p.Moves(nil)) > 0 && ply < 60; ply++ {
		if ply%6 == 0 {
			checkEven(t, p, r)
		}
		p.Play(game.Sample(p, r, nil))
	}
}

// checkEven is a chi-square test that also examines its terms.
func checkEven(t TB, p game.Position, r *rand.PCG) {
	t.Helper()
	const each = 200
	moves := p.Moves(nil)
	seen := map[game.Move]int{}
	for range each * len(moves) {
		seen[game.Sample(p, r, nil)]++
	}
	chi, worst := 0.0, 0.0
	for _, m := range moves {
		d := float64(seen[m] - each)
		chi += d * d / each
		worst = max(worst, d*d/each)
		delete(seen, m)
	}
	for m, times := range seen {
		t.Errorf("%s: Sample gives %s, which is not legal, %d times in %d", p, m, times, each*len(moves))
	}
	// The sum has mean n-1 and variance 2(n-1); each term is the square of one
	// standardized deviation. Eight deviations exclude chance. The sum detects many
	// small faults; a single missing move among hundreds shows only in its own term.
	n := float64(len(moves) - 1)
	if d := chi - n; d > 0 && d*d > 64*2*n+64 || worst > 64 {
		t.Errorf("%s: Sample is uneven: chi-square %.0f for %d moves, %.0f for one", p, chi, len(moves), worst)
	}
}
