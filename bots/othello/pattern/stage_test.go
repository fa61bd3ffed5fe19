package pattern

import "testing"

// TestStage lists where stages begin: every two discs from the start, the last
// with the end of the game.
func TestStage(t *testing.T) {
	for discs, want := range map[int]int{0: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 2, 31: 13, 32: 14, 61: 28, 62: 29, 63: 29, 64: 29} {
		if got := Stage(discs); got != want {
			t.Errorf("%d discs: stage %d, want %d", discs, got, want)
		}
	}
}

// TestUntrained checks that mobility counts in every stage, and nothing else does.
func TestUntrained(t *testing.T) {
	w := Untrained()
	for discs := 5; discs <= 64; discs++ {
		own := uint64(1)<<(discs-3) - 1
		if got := w.Eval(own, 7<<(discs-3), 5, 2); got != 180 {
			t.Errorf("%d discs, three more moves: %d, want 180", discs, got)
		}
	}
}

// TestEvalParts has weights that are all 0 but one: it counts on the boards that
// it is for alone.
func TestEvalParts(t *testing.T) {
	const own, other = 1<<28 | 1<<35 | 1<<20, 1<<27 | 1<<36 // 5 discs: stage 0
	for _, test := range []struct {
		name string
		set  func(w *Weights)
		want int
	}{
		{"own moves", func(w *Weights) { w.stages[0].own[3] = 70 }, 70},
		{"moves of another number", func(w *Weights) { w.stages[0].own[4] = 70 }, 0},
		{"replies", func(w *Weights) { w.stages[0].other[5] = 60 }, 60},
		{"replies of another number", func(w *Weights) { w.stages[0].other[3] = 60 }, 0},
		{"another stage", func(w *Weights) { w.stages[1].own[3], w.stages[1].other[5] = 70, 60 }, 0},
		{"discs", func(w *Weights) { w.discs[5] = 33 }, 33},
		{"another number of discs", func(w *Weights) { w.discs[4], w.discs[6] = 30, 30 }, 0},
		{"more than all discs", func(w *Weights) { w.discs[5] = 6401 }, 6400},
		{"less than all discs", func(w *Weights) { w.discs[5] = -6401 }, -6400},
	} {
		var w Weights
		test.set(&w)
		if got := w.Eval(own, other, 3, 5); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
	var w Weights
	w.stages[0].own[mobilities-1], w.stages[0].other[mobilities-1] = 7, 5
	if got := w.Eval(own, other, 99, 99); got != 12 {
		t.Errorf("more moves than are told apart: %d, want 12", got)
	}
}
