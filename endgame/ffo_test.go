package endgame_test

import (
	"context"
	"testing"

	"quintet/endgame"
)

func BenchmarkFFO40(b *testing.B) {
	p := read(b, "O2OOOOX/1OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/3OOOOX/4O2X/8 X")
	for b.Loop() {
		s := endgame.NewSolver(64)
		r, _ := s.Solve(context.Background(), p)
		b.ReportMetric(float64(r.Nodes), "nodes")
		b.ReportMetric(float64(r.Value), "value")
	}
}
