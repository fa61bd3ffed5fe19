package bots_test

import (
	"context"
	"testing"

	"quintet/engine"
)

// TestBareEndings evaluates endings that only a halt decides. The side ahead scores more than in an even position,
// but less than 200, the score of a halt.
func TestBareEndings(t *testing.T) {
	g, k := find(t, "chess")
	for _, test := range []struct {
		position  string
		low, high int
	}{
		{"8/8/4k3/8/4P3/4K3/8/8 w - - 0 1", 120, 200},
		{"8/8/4k3/8/4P3/4K3/8/8 b - - 0 1", -200, -120},
		{"4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", 150, 200},
		{"4k3/5n2/8/8/8/8/PP6/4K3 w - - 0 1", -200, -100}, // a knight counts ten, a pawn one
		{"4k3/8/8/2pp4/8/2PP4/8/4K3 w - - 0 1", -30, 30},
	} {
		p, err := g.Read(test.position)
		if err != nil {
			t.Fatal(err)
		}
		if score := k.Eval(p); score < test.low || score > test.high {
			t.Errorf("%s is worth %d, want %d to %d", test.position, score, test.low, test.high)
		}
	}
}

// TestForcedCaptures checks that forced king captures are proved within 100,000 nodes. The
// sign of plies is the winner's. Pruning may overlook the quickest way: a capture may be
// proved with one move more, which may begin with another move.
func TestForcedCaptures(t *testing.T) {
	g, k := find(t, "chess")
	for _, test := range []struct {
		name, position, best string
		plies                int
	}{
		{"scholar's mate", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w - - 0 1", "h5f7", 3},
		{"on the back rank", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8", 3},
		{"smothered", "r4r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1", "b3g8", 5},
		{"a queen is given away", "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", "f3f7", 5},
		{"a quiet key", "8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1", "d6a3", 5},
		{"another quiet key", "B7/K1B1p1Q1/5r2/7p/1P1kp1bR/3P3R/1P1NP3/2n5 w - - 0 1", "a8c6", 5},
		{"by discovery", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 7},
		{"a hunt", "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "f8c5", 7},
		{"no safe move is left: a pawn", "7k/5K2/8/6P1/8/8/8/8 w - - 0 1", "g5g6", 3},
		{"no safe move is left: the opposition", "7k/8/5KP1/8/8/8/8/8 w - - 0 1", "f6f7", 3},
		{"no safe move is left: a bishop", "k7/8/1K6/8/8/8/8/4B3 w - - 0 1", "e1g3", 3},
		{"a bishop corners a king", "k7/8/1K6/8/8/8/8/4B3 b - - 0 1", "a8b8", -10},
		{"a lost king", "8/8/8/8/8/5k2/7q/5K2 w - - 0 1", "f1e1", -4},
	} {
		p, err := g.Read(test.position)
		if err != nil {
			t.Fatal(err)
		}
		want := engine.Won - test.plies
		if test.plies < 0 {
			want = -engine.Won - test.plies
		}
		at := engine.Position{Position: p, Repeat: g.Repeat}
		line := engine.NewAlphaBeta(k, 4, 1).Search(context.Background(), at, engine.Limit{Nodes: 400_000}, nil)
		slower := want - 2
		if want < 0 {
			slower = want + 2
		}
		if best := p.Format(line.Best()); line.Score != slower && (line.Score != want || best != test.best) {
			t.Errorf("%s: %s, score %d after %d nodes, want %s, %d", test.name, best, line.Score, line.Nodes, test.best, want)
		}
	}
}
