package connect6_test

import (
	"math/rand/v2"
	"testing"

	"quintet/games/connect6"
)

// BenchmarkPlayout plays random games on 19 by 19 to their end.
func BenchmarkPlayout(b *testing.B) {
	start, err := connect6.Start(19)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.NewPCG(1, 1)
	plies := 0
	for b.Loop() {
		p := *start
		for !p.Result().Over() {
			p.Play(p.Sample(r))
			plies++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkMoves lists the moves of the empty board of 19 by 19.
func BenchmarkMoves(b *testing.B) {
	p, err := connect6.Start(19)
	if err != nil {
		b.Fatal(err)
	}
	buf := p.Moves(nil)
	for b.Loop() {
		buf = p.Moves(buf[:0])
	}
}
