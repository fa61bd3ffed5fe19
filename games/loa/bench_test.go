package loa_test

import (
	"math/rand/v2"
	"testing"

	"quintet/games/loa"
)

// BenchmarkPerft counts the game tree from the start at depth 5.
func BenchmarkPerft(b *testing.B) {
	var leaves uint64
	for b.Loop() {
		leaves += loa.Start().Perft(5)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

// BenchmarkPlayout plays random games until the rules end them, and asks of
// every position what a match asks.
func BenchmarkPlayout(b *testing.B) {
	r := rand.NewPCG(1, 1)
	start := loa.Start()
	var keys uint64
	plies := 0
	for b.Loop() {
		p := *start
		for n := 0; !p.Result().Over() && n < 1000; n++ {
			p.Play(p.Sample(r))
			keys ^= p.Key()
			plies++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
	_ = keys
}
