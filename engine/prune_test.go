package engine

import (
	"context"
	"testing"

	"quintet/game"
)

// TestStopsSoon stops a search from within and counts the positions that are
// still evaluated: few enough for a fraction of a millisecond.
func TestStopsSoon(t *testing.T) {
	p := start(t, "chess", "", "")
	for _, at := range []int{1, 100, 5_000, 20_011} {
		var a *AlphaBeta
		evals := 0
		a = NewAlphaBeta(Knowledge{Eval: func(p game.Position) int {
			if evals++; evals == at {
				a.workers[0].run.Stop.Store(true)
			}
			return int(p.Key() % 64)
		}}, 4, 1)
		line := a.Search(context.Background(), p, Limit{}, nil)
		if after := evals - at; after > 512 {
			t.Errorf("stopped after %d evaluations, %d more were made", at, after)
		}
		checkLine(t, p, line)
	}
}

// TestReduction checks that reductions leave a ply to search and grow with the depth and
// the number of the move.
func TestReduction(t *testing.T) {
	p := start(t, "loa", "", "")
	w := newWorker(Knowledge{}, NewTable(1), p.Position, 0)
	for i := range w.evals {
		w.evals[i] = unclear
	}
	for depth := 1; depth < 100; depth++ {
		for i := 1; i < 200; i++ {
			less := w.reduction(1, depth, 1, i, 0)
			if less < 0 || depth >= 3 && less > depth-2 || depth < 3 && less > 0 {
				t.Fatalf("depth %d, move %d: %d plies less", depth, i, less)
			}
			if less < w.reduction(1, depth, 1, i-1, 0) {
				t.Errorf("depth %d: move %d is searched deeper than the one before", depth, i)
			}
		}
	}
	if w.reduction(1, 20, 1, 30, noisyMove) != 0 {
		t.Error("a noisy move is reduced")
	}
	if w.reduction(1, 20, 1, 30, -historyLimit) <= w.reduction(1, 20, 1, 30, historyLimit) {
		t.Error("history says nothing")
	}
}

// TestQuiet tells the kinds of moves apart by their values.
func TestQuiet(t *testing.T) {
	for value, want := range map[int32]bool{
		fromTable: false, noisyMove - 16_000: false, killerMove + 16_000: true, historyLimit + 16_000: true, -historyLimit - 16_000: true,
		losingMove + 16_000: false,
	} {
		if got := isQuiet(value); got != want {
			t.Errorf("quiet(%d) = %t", value, got)
		}
	}
}

// TestStopped scores repetition by Knowledge.Stopped, if set.
func TestStopped(t *testing.T) {
	p := start(t, "chess", "", "e2e4 d7d5 e4d5") // White has a pawn more, Black is to move
	w := newWorker(Knowledge{}, NewTable(1), p.Position, 0)
	if got := w.halted(p.Position, 3); got != 3-Won {
		t.Errorf("by the rules: %d, want %d", got, 3-Won)
	}
	w.know.Stopped = func(game.Position) int { return -50 }
	if got := w.halted(p.Position, 3); got != -50 {
		t.Errorf("by what is known: %d, want -50", got)
	}
}

// TestCutReduction reduces late moves further at cut nodes with an empty window.
func TestCutReduction(t *testing.T) {
	k := Knowledge{Tuning: DefaultTuning(0)}
	k.Tuning.ReduceCut = 200
	w := at(t, k, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
	plain, wide := w.reduction(1, 12, 1, 20, 0), w.reduction(1, 12, 30, 20, 0)
	w.cut[1] = true
	if got := w.reduction(1, 12, 1, 20, 0); got != plain+2 {
		t.Errorf("%d plies less at a cut node, want %d", got, plain+2)
	}
	if got := w.reduction(1, 12, 30, 20, 0); got != wide {
		t.Errorf("%d plies less with a wide window, want %d", got, wide)
	}
}

// TestCutNodes checks which nodes are expected to fail high: with an empty window, cut nodes
// and nodes that fail low alternate, and all late moves of others are expected to be refuted.
func TestCutNodes(t *testing.T) {
	for _, test := range []struct {
		cut    bool
		window int
		i      int
		want   bool
	}{
		{false, 100, 0, false}, {false, 1, 0, true}, {true, 1, 0, false}, {false, 1, 1, true}, {true, 1, 1, false},
	} {
		w := at(t, Knowledge{Eval: func(game.Position) int { return 50 }}, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		w.cut[1] = test.cut
		m := w.pos[1].Moves(nil)[0]
		w.play(1, m)
		if _, ok := w.pvSearch(1, 1, 0, test.window, m, test.i, 0); !ok || w.cut[2] != test.want {
			t.Errorf("%+v: the reply is expected to fail high: %t", test, w.cut[2])
		}
	}
}

// TestNoisyReduction reduces late quiet moves, and no others, further where the table's
// move is noisy.
func TestNoisyReduction(t *testing.T) {
	k := Knowledge{Tuning: DefaultTuning(0)}
	k.Tuning.ReduceNoisy = 100
	w := at(t, k, 1, "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
	for _, value := range []int32{0, losingMove} {
		w.noisyFirst[1] = false
		before := w.reduction(1, 10, 1, 10, value)
		w.noisyFirst[1] = true
		more := w.reduction(1, 10, 1, 10, value) - before
		if want := int(value/losingMove) ^ 1; more != want {
			t.Errorf("value %d: reduced by %d plies more, want %d", value, more, want)
		}
	}
}

// TestProbCut lets White take a queen or a protected pawn with depth to spare. Only a capture
// whose gain exceeds beta and the margin cuts, unless the table knows better.
func TestProbCut(t *testing.T) {
	k := materialKnowledge()
	k.Tuning = DefaultTuning(k.Margin)
	k.Tuning.ProbCut, k.Gain = 150, func(p game.Position, m game.Move) int {
		after := p.Clone()
		after.Play(m)
		return -material(after) - material(p)
	}
	for _, test := range []struct {
		name, position string
		depth, beta    int
		old            ttEntry
		cut            bool
	}{
		{"a queen", "7k/8/8/3q4/8/8/3R4/K7 w - - 0 1", 5, 0, ttEntry{}, true},
		{"too shallow", "7k/8/8/3q4/8/8/3R4/K7 w - - 0 1", 4, 0, ttEntry{}, false},
		{"not enough", "7k/8/8/3q4/8/8/3R4/K7 w - - 0 1", 5, 400, ttEntry{}, false},
		{"the queen is protected", "7k/8/4p3/3q4/8/8/3R4/K7 w - - 0 1", 5, 300, ttEntry{}, false},
		{"more than beta, but not by the margin", "7k/8/4p3/3q4/8/8/3R4/K7 w - - 0 1", 5, -200, ttEntry{}, false},
		{"the table knows better", "7k/8/8/3q4/8/8/3R4/K7 w - - 0 1", 5, 0, ttEntry{score: 100, depth: 2, bound: UpperBound}, false},
		{"the table knows less", "7k/8/8/3q4/8/8/3R4/K7 w - - 0 1", 5, 0, ttEntry{score: 100, depth: 1, bound: UpperBound}, true},
	} {
		w := at(t, k, 1, test.position)
		score, move, cut, done := w.probCut(1, test.depth, test.beta, test.old)
		if cut != test.cut || !done || cut && (score < test.beta+k.Tuning.ProbCut || move == 0) {
			t.Errorf("%s: cut %t, score %d by %v, done %t; want %t", test.name, cut, score, move, done, test.cut)
		}
	}
}
