package nnue

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a network with weights of every size, and features of a position.
func random(r *rand.Rand, features int) (*Network, []uint16) {
	n := &Network{Rows: make([]Row, 256), Output: make([]Output, 3)}
	size := 1 << r.IntN(13)
	fill := func(row *Row, size int) {
		for i := range row {
			row[i] = int16(r.IntN(2*size+1) - size)
		}
	}
	fill(&n.Bias, size)
	for i := range n.Output {
		fill(&n.Output[i][0], MaxOutput)
		fill(&n.Output[i][1], MaxOutput)
	}
	for i := range n.Rows {
		fill(&n.Rows[i], size)
	}
	list := make([]uint16, features)
	for i := range list {
		list[i] = uint16(r.IntN(len(n.Rows)))
	}
	return n, list
}

// TestSum compares the fastest sum with the plain one, also where sums overflow.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 2_000 {
		n, features := random(r, i%40)
		mask, output := uint16(r.IntN(256)|1), &n.Output[i%3]
		if got, want := n.sum(features, mask, output), n.sumPlain(features, mask, output); got != want {
			t.Fatalf("%d features: the sum is %d, plain %d", len(features), got, want)
		}
	}
}

// TestPacked compares the sums of packed weights with the plain ones, up to weights whose sums just fit.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 2_000 {
		n, features := random(r, i%(maxPacked+2))
		n.packed = n.pack()
		mask, output := uint16(r.IntN(256)|1), &n.Output[i%3]
		if got, want := n.sumScalar(features, mask, output), n.sumPlain(features, mask, output); got != want {
			t.Fatalf("%d features: the sum is %d, plain %d", len(features), got, want)
		}
	}
	for _, sign := range []int16{1, -1} {
		n := &Network{Rows: make([]Row, 2), Output: []Output{{{5: 1, 6: 1}, {5: -1, 6: 1}}}}
		n.Rows[0][5], n.Rows[1][5], n.Bias[5], n.Bias[6] = 511*sign, -511*sign, 63*sign, InputUnit // 64*511 + 63 = 1<<15 - 1
		features := make([]uint16, maxPacked)
		n.packed = n.pack()
		if got, want := n.packed.sum(features, 1, &n.Output[0]), n.sumPlain(features, 1, &n.Output[0]); got != want {
			t.Errorf("largest sums: the sum is %d, plain %d", got, want)
		}
		if n.Bias[5] += sign; n.pack() != nil {
			t.Error("weights whose sums overflow are packed")
		}
	}
}

// TestScore computes a small example by hand: one unit of each side is active.
func TestScore(t *testing.T) {
	n := &Network{Rows: make([]Row, 8), Output: make([]Output, 2)}
	n.Rows[2][5] = InputUnit     // as the side to move sees it
	n.Rows[3][7] = InputUnit / 2 // as its opponent does: 127
	n.Rows[6][9] = InputUnit     // as its opponent does with mask 4
	n.Output[0] = Output{{5: OutputUnit}, {7: -OutputUnit}}
	n.Output[1] = Output{{}, {9: OutputUnit}}
	for _, test := range []struct {
		mask   uint16
		bucket int
		want   int
	}{{1, 0, 400 - 400*127*127/(255*255) - 1}, {1, 1, 0}, {4, 0, 400}, {4, 1, 400}} {
		if got := n.Score([]uint16{2}, test.mask, test.bucket); got != test.want {
			t.Errorf("Score with mask %d and bucket %d = %d, want %d", test.mask, test.bucket, got, test.want)
		}
	}
	if got := n.Score(nil, 1, 0); got != 0 {
		t.Errorf("Score of nothing = %d, want 0", got)
	}
}

func TestFile(t *testing.T) {
	n, _ := random(rand.New(rand.NewPCG(2, 2)), 0)
	n.Linear = []int32{1, -70_000}
	var file bytes.Buffer
	if err := n.Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := Read(bytes.NewReader(file.Bytes()))
	if err != nil || got.Bias != n.Bias || !slices.Equal(got.Output, n.Output) ||
		!slices.Equal(got.Rows, n.Rows) || !slices.Equal(got.Linear, n.Linear) {
		t.Fatalf("read back: %v, or other weights", err)
	}
	for _, size := range []int{0, 5, 40, file.Len() - 1} {
		if _, err := Read(bytes.NewReader(file.Bytes()[:size])); err == nil {
			t.Errorf("the first %d of %d bytes: no error", size, file.Len())
		}
	}
}

func BenchmarkScore(b *testing.B) {
	n, features := random(rand.New(rand.NewPCG(1, 1)), 22)
	for b.Loop() {
		n.Score(features, 1, 0)
	}
}
