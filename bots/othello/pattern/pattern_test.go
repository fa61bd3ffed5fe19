package pattern

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomValues returns values that differ from pattern to pattern.
func randomValues(r *rand.Rand) *tables {
	t := new(tables)
	for i := range t.shapes {
		t.shapes[i] = int16(r.IntN(1 << 16))
		t.round(i)
	}
	return t
}

func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	values := randomValues(r)
	for range 20_000 {
		own := r.Uint64()
		other := r.Uint64() &^ own
		if got, want := sum(own, other, values), sumPlain(own, other, values); got != want {
			t.Fatalf("%x %x: %d, want %d", own, other, got, want)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	values := randomValues(r)
	var boards [1024][2]uint64
	for i := range boards {
		own := r.Uint64()
		boards[i] = [2]uint64{own, r.Uint64() &^ own}
	}
	n, i := 0, 0
	for b.Loop() {
		n += sum(boards[i&1023][0], boards[i&1023][1], values)
		i++
	}
	_ = n
}

// randomWeights returns weights that mirror as real ones do, and the vectors that
// they were made of.
func randomWeights(r *rand.Rand) (*Weights, *Fitter, [Stages]Vector) {
	w, f := new(Weights), NewFitter()
	var vectors [Stages]Vector
	for s := range vectors {
		vectors[s] = make(Vector, f.Length())
		for i := range vectors[s] {
			vectors[s][i] = coarseUnit * float64(r.IntN(11)-5)
		}
		f.Set(w, s, vectors[s])
	}
	return w, f, vectors
}

// TestRound rounds values to the nearest coarse one within reach.
func TestRound(t *testing.T) {
	for points, want := range map[int16]int8{
		0: 0, 4: 0, 6: 1, 14: 1, 16: 2, -4: 0, -6: -1, -14: -1, -16: -2,
		1270: 127, 1280: 127, 32767: 127, -1270: -127, -1280: -127, -32768: -127,
	} {
		x := new(tables)
		x.shapes[7] = points
		if x.round(7); x.coarse[7] != want || x.coarse[6] != 0 {
			t.Errorf("%d points: %d, want %d", points, x.coarse[7], want)
		}
	}
}

func randomBoard(r *rand.Rand) (own, other uint64) {
	full := r.Uint64() | r.Uint64()
	own = full & r.Uint64()
	return own | 1, full &^ own &^ 1
}

// TestFitter adds up what a board's row names, which must be its evaluation.
func TestFitter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w, f, vectors := randomWeights(r)
	for range 2_000 {
		own, other := randomBoard(r)
		moves, replies := r.IntN(20), r.IntN(20)
		discs := bits.OnesCount64(own | other)
		if discs < 4 {
			continue
		}
		want := 0.0
		for _, i := range f.Row(own, other, discs, moves, replies) {
			want += vectors[Stage(discs)][i]
		}
		if got := w.Eval(own, other, moves, replies); got != int(want) {
			t.Fatalf("%x %x: %d, want %.0f", own, other, got, want)
		}
	}
}

// TestSymmetry turns and mirrors boards, which changes nothing.
func TestSymmetry(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	w, _, _ := randomWeights(r)
	for range 500 {
		own, other := randomBoard(r)
		want := w.Eval(own, other, 5, 7)
		for s := 1; s < 8; s++ {
			if got := w.Eval(turnedBoard(own, s), turnedBoard(other, s), 5, 7); got != want {
				t.Fatalf("%x %x, symmetry %d: %d, want %d", own, other, s, got, want)
			}
		}
	}
}

func turnedBoard(b uint64, symmetry int) (to uint64) {
	var cells []int
	for ; b != 0; b &= b - 1 {
		cells = append(cells, bits.TrailingZeros64(b))
	}
	return mask(turned(cells, symmetry))
}

func TestShapes(t *testing.T) {
	list := allShapes()
	if len(list) != Shapes {
		t.Fatalf("%d shapes, want %d", len(list), Shapes)
	}
	covered := uint64(0)
	for _, s := range list {
		covered |= mask(s.cells)
	}
	if covered != ^uint64(0) {
		t.Errorf("the shapes cover %x", covered)
	}
}

// TestFile writes weights and reads them back; damaged files are refused.
func TestFile(t *testing.T) {
	w, _, _ := randomWeights(rand.New(rand.NewPCG(1, 1)))
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	got, err := Read(bytes.NewReader(whole))
	if err != nil || *got != *w {
		t.Fatalf("read back: %v, the same %t", err, err == nil && *got == *w)
	}
	for _, n := range []int{0, 5, len(whole) / 2, len(whole) - 1} {
		if _, err := Read(bytes.NewReader(whole[:n])); err == nil {
			t.Errorf("the first %d of %d bytes are read as weights", n, len(whole))
		}
	}
	if _, err := Read(bytes.NewReader(slices.Concat(whole, whole))); err == nil {
		t.Error("two files are read as one")
	}
}

// TestVector sets a stage to what Vector returns, which changes nothing.
func TestVector(t *testing.T) {
	w, f, vectors := randomWeights(rand.New(rand.NewPCG(1, 1)))
	got := f.Vector(w, 7)
	for i, want := range vectors[7] {
		if d := i - (len(got) - 65); got[i] != want && (d < 0 || Stage(d) == 7) {
			t.Fatalf("number %d is %.0f, want %.0f", i, got[i], want)
		}
	}
	before := *w
	if f.Set(w, 7, got); *w != before {
		t.Error("Set and Vector change weights")
	}
}

// TestHash tells weights apart.
func TestHash(t *testing.T) {
	w, _, _ := randomWeights(rand.New(rand.NewPCG(1, 1)))
	other := *w
	other.discs[60]++
	same, another := *w, w.Hash()
	if w.Hash() == other.Hash() || same.Hash() != another {
		t.Errorf("hashes %x, %x, and %x of other weights", another, same.Hash(), other.Hash())
	}
}

// TestTrained holds the weights that come with the program against what everyone
// knows: a corner is worth having.
func TestTrained(t *testing.T) {
	w, err := Trained()
	if err != nil {
		t.Fatal(err)
	}
	own, other := uint64(0x0000001818180001), uint64(0x00003c2424240400)
	if with, without := w.Eval(own, other, 4, 4), w.Eval(own&^1, other|1, 4, 4); with < without+8*Unit {
		t.Errorf("with a corner %d, with the corner the other side's %d", with, without)
	}
}

func TestNoAllocation(t *testing.T) {
	w := new(Weights)
	if n := testing.AllocsPerRun(100, func() { w.Eval(0x1234, 0x4321<<32, 3, 4) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
