package othello_test

import (
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/gametest"
)

// BenchmarkPerft counts the game tree of 8 by 8 from the start at depth 9.
func BenchmarkPerft(b *testing.B) {
	p := gametest.Start(b, othello.Game, "").(*othello.Small)
	var leaves uint64
	for b.Loop() {
		leaves += p.Perft(9)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

// BenchmarkPlayout plays random games to their end on boards of several sizes.
func BenchmarkPlayout(b *testing.B) {
	for _, setup := range []string{"size=6", "size=8", "size=8 pits=c3,f6", "size=16", "size=26"} {
		b.Run(setup, func(b *testing.B) {
			r := rand.NewPCG(1, 1)
			start := gametest.Start(b, othello.Game, setup)
			p, plies := start.Clone(), 0
			for b.Loop() {
				p.CopyFrom(start)
				for !p.Result().Over() {
					p.Play(p.(game.Sampler).Sample(r))
					plies++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
