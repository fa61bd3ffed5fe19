package gametest

import (
	"math/rand/v2"

	"quintet/game"
)

// checkSamples draws many moves in a few positions of a random game and
// compares how often each comes with an even chance, by a chi-square test.
func checkSamples(t TB, start game.Position) {
	t.Helper()
	if _, ok := start.(game.Sampler); !ok {
		return
	}
	r := newPicker(1)
	p := start.Clone()
	for ply := 0; len(p.Moves(nil)) > 0 && ply < 60; ply++ {
		if ply%6 == 0 {
			checkEven(t, p, r)
		}
		p.Play(game.Sample(p, r, nil))
	}
}

func checkEven(t TB, p game.Position, r *rand.PCG) {
	t.Helper()
	const each = 200
	moves := p.Moves(nil)
	seen := map[game.Move]int{}
	for range each * len(moves) {
		seen[game.Sample(p, r, nil)]++
	}
	chi := 0.0
	for _, m := range moves {
		d := float64(seen[m] - each)
		chi += d * d / each
	}
	// The statistic has mean n-1 and variance 2(n-1): eight deviations are
	// beyond chance, and a move left out or favoured by a third beyond that.
	n := float64(len(moves) - 1)
	if d := chi - n; d > 0 && d*d > 64*2*n+64 {
		t.Errorf("%s: Sample is uneven: chi-square %.0f for %d moves", p, chi, len(moves))
	}
}
