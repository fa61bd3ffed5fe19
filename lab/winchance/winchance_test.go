package winchance

import (
	"math"
	"strings"
	"testing"

	"quintet/lab/train/network"
)

// TestFit checks that the fit recovers the scale that the results were made with.
func TestFit(t *testing.T) {
	for _, scale := range []float64{90, 400, 3000} {
		var list []sample
		for score := -1000.0; score <= 1000; score += 10 {
			list = append(list, sample{score: score, result: network.Expected(score, scale)})
		}
		if got := fit(list); math.Abs(got/scale-1) > 0.01 {
			t.Errorf("scale %.1f, want %.0f", got, scale)
		}
	}
}

// TestSamples checks that results are those of the side to move.
func TestSamples(t *testing.T) {
	text := `{"record":"quintet arena","game":"loa"}
{"game":1,"start":"","opening":"","moves":"","result":"draw"}`
	if _, _, _, err := samples([]byte(text), 9); err == nil {
		t.Error("a game without a start is accepted")
	}
	text = `{"game":"othello"}
{"game":1,"start":"8/8/8/3OX3/3XO3/8/8/8 X","opening":"d3","moves":"c3 c4 e3 b2 a1 f5","result":"first wins"}`
	name, list, n, err := samples([]byte(text), 9)
	if err != nil || name != "othello" || n != 1 || len(list) != 2 {
		t.Fatalf("%s: %v of %d games, %v; want 2 positions of 1", name, list, n, err)
	}
	if list[0].result != 0 || list[1].result != 1 {
		t.Errorf("results %v, want 0 for the second side and 1 for the first", list)
	}
}

// TestBands checks that every band of plies has its own scale, in the order of the plies.
func TestBands(t *testing.T) {
	var list []sample
	for score := -1000.0; score <= 1000; score += 10 {
		for ply := bands; ply > 0; ply-- {
			list = append(list, sample{score, network.Expected(score, float64(100*ply)), ply})
		}
	}
	var out strings.Builder
	if err := writeBands(&out, list); err != nil {
		t.Fatal(err)
	}
	if want := "100 from ply 1, 200 from ply 2, 300 from ply 3, 400 from ply 4, 500 from ply 5, 600 from ply 6;"; !strings.Contains(out.String(), want) {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
