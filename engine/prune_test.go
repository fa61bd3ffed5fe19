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
		if got := quiet(value); got != want {
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
