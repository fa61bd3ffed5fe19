package large

import (
	"math/rand/v2"
	"testing"
)

func benchBoard(b *testing.B) (*geometry, board, *evaluator) {
	source := rand.NewPCG(1, 1)
	p := start(b, rand.New(source), 12, 8)
	playout(p, source, 70)
	g := geometryOf(p)
	return &g, g.boardOf(p), newEvaluator(trained(b), &g)
}

func BenchmarkSettle(b *testing.B) {
	g, at, _ := benchBoard(b)
	for b.Loop() {
		g.settle(&at)
	}
}

func BenchmarkScore(b *testing.B) {
	_, at, e := benchBoard(b)
	for b.Loop() {
		e.score(&at)
	}
}

func BenchmarkPlay(b *testing.B) {
	g, at, _ := benchBoard(b)
	moves := (&position{geometry: g, board: at}).Moves(nil)
	var out board
	for b.Loop() {
		for _, m := range moves {
			g.playMove(&at, m, &out)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(at.count), "ns/move")
}
