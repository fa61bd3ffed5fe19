package connect6

import (
	"context"
	"testing"

	"quintet/engine"
	rules "quintet/games/connect6"
)

// midgame returns an undecided position after some turns.
func midgame(t testing.TB) *rules.Position {
	t.Helper()
	return played(t, "J9 I8 K8 J8 J10 I10 K11")
}

func BenchmarkPutTake(b *testing.B) {
	var board board
	board.reset(midgame(b))
	c := cell(7*19 + 7)
	for b.Loop() {
		board.put(0, c)
		board.take(0, c)
	}
}

func BenchmarkPairs(b *testing.B) {
	var board board
	board.reset(midgame(b))
	g := pairs{b: &board}
	var r pairList
	for b.Loop() {
		g.list(0, innerWidth, &r)
	}
}

func BenchmarkThreats(b *testing.B) {
	var board board
	board.reset(midgame(b))
	th := newThreats(&board, make(threatTable, 1<<14))
	var r threatScratch
	for b.Loop() {
		th.list(0, 3, &r)
	}
}

// BenchmarkSearch searches a position to a number of nodes.
func BenchmarkSearch(b *testing.B) {
	p := engine.Position{Position: midgame(b)}
	s := New(16)
	nodes := uint64(0)
	for b.Loop() {
		s.Reset()
		nodes += s.Search(context.Background(), p, engine.Limit{Nodes: 200_000}, nil).Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
