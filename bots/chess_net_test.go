package bots

import (
	"slices"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

func readChess(t *testing.T, text string) *chess.Position {
	t.Helper()
	p, err := chess.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*chess.Position)
}

// featuresOf returns what the network sees of a position.
func featuresOf(p *chess.Position) *chessFeatures {
	e := chessEval{weights: &chessTable{}}
	e.count(p)
	return &e.input
}

// sortedFeatures returns the features as a player sees them who finds them with a mask.
func sortedFeatures(f *chessFeatures, mask uint16) (list []uint16) {
	for _, feature := range f.list[:f.n] {
		list = append(list, feature^mask)
	}
	slices.Sort(list)
	return list
}

// TestChessFeatures lists the features of positions by hand.
func TestChessFeatures(t *testing.T) {
	feature := func(kind, cell, side int) uint16 { return uint16((kind*64+cell)*2 + side) }
	const a1, a7, b1, b8, c1, d1, e1 = 56, 8, 57, 1, 58, 59, 60
	for _, test := range []struct {
		position string
		mask     uint16
		want     []uint16
	}{
		{"1k6/p7/8/8/8/8/8/RK6 w", 1, []uint16{feature(3, a1, 0), feature(5, b1, 0), feature(0, a7^56, 1), feature(5, b8^56, 1)}},
		{"1k6/p7/8/8/8/8/8/RK6 b", 1, []uint16{feature(3, a1, 1), feature(5, b1, 1), feature(0, a7^56, 0), feature(5, b8^56, 0)}},
		{"1k6/p7/8/8/8/8/8/1KNB4 w", 1, []uint16{feature(1, c1, 0), feature(2, d1, 0), feature(5, b1, 0), feature(0, a7^56, 1), feature(5, b8^56, 1)}},
		{"1k6/p7/8/8/8/8/8/3QK3 w", 1 | chessMirror, []uint16{feature(4, d1^7, 0), feature(5, e1^7, 0), feature(0, a7^63, 1), feature(5, b8^63, 1)}},
		{"1k6/p7/8/8/8/8/8/3QK3 b", 1 | chessMirror, []uint16{feature(4, d1, 1), feature(5, e1, 1), feature(0, a7^56, 0), feature(5, b8^56, 0)}},
	} {
		f := featuresOf(readChess(t, test.position))
		slices.Sort(test.want)
		if got := sortedFeatures(f, 0); !slices.Equal(got, test.want) || f.mask != test.mask {
			t.Errorf("%s: features %v with mask %d, want %v with %d", test.position, got, f.mask, test.want, test.mask)
		}
	}
}

// TestChessMask lets the opponent move: it sees each feature changed by the mask.
func TestChessMask(t *testing.T) {
	randomChess(t, 20, func(p *chess.Position) {
		q := *p
		q.Play(game.Pass)
		own, other := featuresOf(p), featuresOf(&q)
		if a, b := sortedFeatures(own, own.mask), sortedFeatures(other, 0); !slices.Equal(a, b) || own.mask != other.mask {
			t.Fatalf("%s: the opponent sees %v by the mask, %v by itself", p, a, b)
		}
	})
}

// TestChessBuckets checks that every number of men has an output.
func TestChessBuckets(t *testing.T) {
	for n, want := range map[int]int{0: 0, 2: 0, 4: 0, 5: 1, 28: 6, 29: 7, 32: 7, 64: 7} {
		if got := (&chessFeatures{n: n}).bucket(); got != want {
			t.Errorf("%d men: bucket %d, want %d", n, got, want)
		}
	}
}

// TestChessLinear packs weights and unpacks them.
func TestChessLinear(t *testing.T) {
	want := slices.Clone(ChessEvaluation().network().Linear)
	copy(want[6:], []int32{-300, -1, 300, -500})
	for i, w := range tableChess(want) {
		if middle, end := unpackWeight(w); int32(middle) != want[2*i] || int32(end) != want[2*i+1] {
			t.Errorf("feature %d: %d and %d, want %v", i, middle, end, want[2*i:2*i+2])
		}
	}
}
