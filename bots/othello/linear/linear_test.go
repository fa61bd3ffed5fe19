package linear

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTrained checks that the weights of the program are read as they are written.
func TestTrained(t *testing.T) {
	w, err := Trained()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for f := range w {
		for _, list := range w[f] {
			text.WriteString(names[f])
			for _, x := range list {
				fmt.Fprintf(&text, " %.4f", x)
			}
			text.WriteByte('\n')
		}
	}
	if text.String() != string(trained) {
		t.Error("the weights differ from those of the file")
	}
}

// TestReadErrors checks that bad files are rejected.
func TestReadErrors(t *testing.T) {
	good := string(trained)
	for name, test := range map[string]struct{ text, want string }{
		"empty":     {"", "reading weights: 0 lines, expected 54"},
		"short":     {good[:strings.LastIndex(good[:len(good)-1], "\n")+1], "reading weights: 53 lines, expected 54"},
		"long":      {good + "more\n", "reading weights: more than 54 lines"},
		"name":      {strings.Replace(good, "bias", "base", 1), "reading weights: line 1: expected bias and 6 numbers"},
		"no number": {"bias 1 2 3 4 5 x\n", `reading weights: line 1: "x": expected a number from -1000 to 1000`},
		"infinite":  {"bias 1 2 3 4 5 NaN\n", `reading weights: line 1: "NaN": expected a number from -1000 to 1000`},
	} {
		if _, err := Read(strings.NewReader(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// board returns a board of a size with pits.
func shape(size int, pits ...[2]int) *Shape {
	s := &Shape{Size: size}
	for r := range size {
		s.Rows[r] = 1<<size - 1
	}
	for _, p := range pits {
		s.Rows[p[0]] &^= 1 << p[1]
	}
	return s
}

// TestMasks checks the classes of cells: without pits the corners are anchors and the border is
// edges; a pit makes neighbours that some lines cannot enclose.
func TestMasks(t *testing.T) {
	place := func(row, col int) (word, bit int) { return 0, row*8 + col }
	for name, test := range map[string]struct {
		shape *Shape
		want  Masks
	}{
		"8x8": {shape(8), Masks{0x8100000000000081, 0x7e8181818181817e, 0, 0x007e424242427e00, 0x00003c3c3c3c0000}},
		"4x4": {shape(4), Masks{0x09000009, 0x06090906, 0, 0x00060600, 0}},
		"a1":  {shape(4, [2]int{0, 0}), Masks{0x0900010a, 0x06090804, 0x200, 0x00060400, 0}},
	} {
		got := test.shape.Masks(1, place)[0]
		all := got.Anchors | got.Edges | got.slopes | got.second | got.inner
		if n := test.shape.Cells(); popcount(all) != n {
			t.Errorf("%s: %d cells have a class, want %d", name, popcount(all), n)
		}
		if got != test.want {
			t.Errorf("%s: %x, want %x", name, got, test.want)
		}
	}
}

func popcount(x uint64) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// TestScore compares the evaluation with the sum of products of weights, terms and features.
func TestScore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var w Weights
	for f := range w {
		for b := range w[f] {
			for k := range w[f][b] {
				w[f][b][k] = r.Float64() - 0.5
			}
		}
	}
	for _, s := range []*Shape{shape(4), shape(8, [2]int{2, 3}), shape(26)} {
		e := NewEvaluator(&w, s)
		for empty := 0; empty <= s.Cells(); empty += 3 {
			var row Row
			for f := range row {
				row[f] = r.Int32N(9) - 4
			}
			want, terms := 0.0, s.Terms(empty)
			for f := range w {
				for b := range w[f] {
					for k, x := range w[f][b] {
						want += Unit * x * terms[b][k] * float64(row[f])
					}
				}
			}
			limit := float64(Limit(s.Cells()))
			if got := e.Score(&row, empty); math.Abs(float64(got)-min(max(want, -limit), limit)) > 2 {
				t.Fatalf("%d cells, %d empty: %d, want %.1f", s.Cells(), empty, got, want)
			}
		}
	}
}
