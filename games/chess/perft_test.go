package chess_test

import (
	"testing"

	"quintet/games/chess"
)

// TestPerft counts the tree from the start. Up to depth 5 the numbers are those
// of game/perft/testdata/known.txt. At depth 6 they are the 120,897,438 positions in
// which both kings are alive after five plies, and the 461 games that are over.
func TestPerft(t *testing.T) {
	want := []uint64{20, 400, 8902, 197742, 4896998, 120897438 + 461}
	if testing.Short() || raceEnabled {
		want = want[:5]
	}
	for i, n := range want {
		if got := chess.Start().Perft(i + 1); got != n {
			t.Errorf("Perft(%d) = %d, want %d", i+1, got, n)
		}
	}
}

// TestPerftAgainstPlain counts trees in which kings fall and sides pass.
func TestPerftAgainstPlain(t *testing.T) {
	for _, text := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w",
		"8/8/8/3k4/4K3/8/8/8 w",
		"KP6/PP6/8/8/8/8/8/7k w",
		"KP6/PP6/8/8/8/8/8/7k b",
		"KP6/PP6/8/8/8/5p2/6pp/6pk b",
		"KP6/PP6/8/8/8/8/6pp/6pk w",
		"8/8/8/8/8/8/8/7K b",
	} {
		p := must(t, text)
		for depth := 1; depth <= 3; depth++ {
			if got, want := p.Perft(depth), newPlain(p).leaves(depth); got != want {
				t.Errorf("%s: Perft(%d) = %d, want %d", text, depth, got, want)
			}
		}
	}
}

func TestPerftAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the detector's own bookkeeping would be counted")
	}
	p := chess.Start()
	if n := testing.AllocsPerRun(5, func() { p.Perft(3) }); n != 0 {
		t.Errorf("Perft allocates %.0f times", n)
	}
}
