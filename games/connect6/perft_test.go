package connect6_test

import (
	"context"
	"testing"

	"quintet/game"
	"quintet/game/perft"
	"quintet/games/connect6"
)

// TestPerft counts the trees of game/perft/testdata/known.txt, and the end of a
// turn that can win: one leaf for the stone that wins, and 30 for each other.
func TestPerft(t *testing.T) {
	for text, want := range map[string][]uint64{
		"1 B 1":                {1, 1},
		"2/2 B 1":              {4, 12, 24, 24, 24},
		"6/6/6/6/6/6 B 1":      {36, 1260, 42840},
		"BBBBB1/6/6/6/6/6 B 1": {31, 1 + 30*30},
		"BBBBBB/6/6/6/6/6 W 2": {1, 1, 1},
	} {
		p := must(t, text)
		for i, n := range want {
			if got, err := perft.Count(context.Background(), p, i+1, 1); got != n || err != nil {
				t.Errorf("%s to depth %d: %d, %v, want %d", text, i+1, got, err, n)
			}
		}
	}
}

func TestRow(t *testing.T) {
	p := must(t, "B1B/1W1/3 W 2")
	for row, want := range [][2]uint32{{0b101, 0}, {0, 0b010}, {0, 0}} {
		if first, second := p.Row(game.First, row), p.Row(game.Second, row); first != want[0] || second != want[1] {
			t.Errorf("row %d: %b and %b, want %b", row, first, second, want)
		}
	}
}

// BenchmarkPerft counts the tree of the empty board of 19 by 19 at depth 3.
func BenchmarkPerft(b *testing.B) {
	p, err := connect6.Start(19)
	if err != nil {
		b.Fatal(err)
	}
	var leaves uint64
	for b.Loop() {
		n, err := perft.Count(context.Background(), p, 3, 1)
		if err != nil {
			b.Fatal(err)
		}
		leaves += n
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
