package game_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintet/game"
)

func TestNthBit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	words := []uint64{1, 1 << 63, math.MaxUint64, 0x8000000000000001, 0xff, 0xff << 56, 0x0101010101010101, 0x8080808080808080}
	for range 20_000 {
		words = append(words, r.Uint64(), r.Uint64()&r.Uint64()&r.Uint64(), r.Uint64()|r.Uint64())
	}
	for _, w := range words {
		n := 0
		for bit := range 64 {
			if w>>bit&1 == 0 {
				continue
			}
			if got := game.NthBit(w, n); got != bit {
				t.Fatalf("NthBit(%#x, %d) = %d, want %d", w, n, got, bit)
			}
			n++
		}
	}
}

func TestIntN(t *testing.T) {
	const draws = 70_000
	r := rand.NewPCG(1, 1)
	var seen [7]int
	for range draws {
		seen[game.IntN(r, 7)]++
	}
	for i, n := range seen {
		// Ten thousand are expected, give or take 93.
		if n < draws/7-500 || n > draws/7+500 {
			t.Errorf("%d is drawn %d times of %d", i, n, draws)
		}
	}
	if n := game.IntN(r, 1); n != 0 {
		t.Errorf("Below(1) = %d", n)
	}
}

// TestMix checks that flipping one input bit changes about half of the result.
func TestMix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var changed, of float64
	for range 2_000 {
		hash, word := r.Uint64(), r.Uint64()
		bit := uint64(1) << r.IntN(64)
		before := game.Mix(hash, word)
		for _, after := range []uint64{game.Mix(hash^bit, word), game.Mix(hash, word^bit)} {
			if after == before {
				t.Fatalf("Mix(%#x, %#x): flipping bit %#x changes nothing", hash, word, bit)
			}
			for d := after ^ before; d != 0; d &= d - 1 {
				changed++
			}
			of += 64
		}
	}
	if share := changed / of; share < 0.45 || share > 0.55 {
		t.Errorf("%.3f of all bits change, want half", share)
	}
}
