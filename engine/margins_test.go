package engine

import (
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

// material counts chess pieces, for the side to move.
func material(p game.Position) int {
	score := 0
	for _, r := range p.String() {
		if r == ' ' {
			break
		}
		switch r {
		case 'P':
			score += 100
		case 'p':
			score -= 100
		case 'N', 'B':
			score += 300
		case 'n', 'b':
			score -= 300
		case 'R':
			score += 500
		case 'r':
			score -= 500
		case 'Q':
			score += 900
		case 'q':
			score -= 900
		case 'K': // it can be captured, which ends the game
			score += 9000
		case 'k':
			score -= 9000
		}
	}
	if p.Turn() == game.Second {
		return -score
	}
	return score
}

// takes reports whether a chess move captures a piece.
func takes(p game.Position, m game.Move) bool {
	after := p.Clone()
	after.Play(m)
	return -material(after) != material(p)
}

func materialKnowledge() Knowledge {
	return Knowledge{Eval: material, Noisy: takes, Null: func(game.Position) bool { return true }, Margin: 50}
}

// at returns a worker at a position and a ply.
func at(t *testing.T, k Knowledge, ply int, text string) *worker {
	t.Helper()
	p, err := chess.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(k, NewTable(1), p, 0)
	w.run = &Run{}
	w.pos[ply].CopyFrom(p)
	w.evals[ply] = unclear
	if k.Eval != nil {
		w.evals[ply] = k.Eval(p)
	}
	return w
}

// TestNullMove lets a side pass that is a rook up: it stays ahead unless the pass
// costs its queen.
func TestNullMove(t *testing.T) {
	for _, test := range []struct {
		name, position string
		beta           int
		cut            bool
	}{
		{"nothing hangs", "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1", 450, true},
		{"for Black, too", "r3k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1", 450, true},
		{"the queen hangs", "4k3/pppp4/8/3r4/8/8/PPPP4/R2QK2R w - - 0 1", 450, true},
		{"the queen hangs undefended", "4k3/pppp4/8/3r4/3Q4/8/PPPP4/4K3 w - - 0 1", 390, false},
	} {
		w := at(t, materialKnowledge(), 1, test.position)
		score, cut, done := w.nullMove(1, 4, test.beta, w.evals[1])
		if cut != test.cut || !done || cut != (score >= test.beta) {
			t.Errorf("%s: score %d, cut %t, want %t at %d", test.name, score, cut, test.cut, test.beta)
		}
	}
}

// TestNullMoveProvesNoWin searches a position in which a pass leaves Black no move that does not
// lose: that cuts, but proves no win, because White must move.
func TestNullMoveProvesNoWin(t *testing.T) {
	k := Knowledge{Eval: func(game.Position) int { return 0 }, Tuning: DefaultTuning(0)}
	w := at(t, k, 1, "k7/2Q5/1K6/8/8/8/8/8 w - - 0 1")
	w.play(1, game.Pass)
	if score, _ := w.node(2, 3, -1, 0, game.Pass); score >= -MaxEval {
		t.Fatalf("score %d after a pass, want a loss", score)
	}
	if score, cut, _ := w.nullMove(1, 9, 0, 0); !cut || score != 0 {
		t.Errorf("a pass gives a score of %d, cut %t, want beta and a cut", score, cut)
	}
}

// TestPruneByMargin leaves a node only where the evaluation is as far above beta
// as a setback of a margin for each ply.
func TestPruneByMargin(t *testing.T) {
	const margin, depth = 50, 3
	k := Knowledge{Eval: func(game.Position) int { return 1000 }, Margin: margin}
	for _, test := range []struct {
		above     int // evaluation over beta
		improving bool
		cut       bool
	}{
		{margin * depth, false, true}, {margin*depth - 1, false, false},
		{margin*depth - margin/2, true, true}, {margin*depth - margin/2 - 1, true, false}, {-margin * depth, false, false},
	} {
		w := at(t, k, 2, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		w.evals[0] = 1000
		if test.improving {
			w.evals[0] = 900
		}
		beta := 1000 - test.above
		score, cut, done := w.prune(2, depth, beta-1, beta, 0)
		if cut != test.cut || !done || cut && score < beta {
			t.Errorf("%+v: score %d, cut %t", test, score, cut)
		}
	}
	w := at(t, k, 2, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
	for _, window := range [][2]int{{MaxEval + 5, MaxEval + 6}, {-MaxEval - 6, -MaxEval - 5}} {
		if score, cut, done := w.prune(2, depth, window[0], window[1], 0); cut || !done || score != 0 {
			t.Errorf("a proof is asked for: score %d, cut %t", score, cut)
		}
	}
}

// TestRazor gives a hopeless node up after captures have been played out, and not
// if one of them saves it.
func TestRazor(t *testing.T) {
	for _, test := range []struct {
		position string
		cut      bool
	}{
		{"4k3/pppp4/8/8/8/8/8/R3K3 w - - 0 1", true},
		{"4k3/pppp4/8/q7/8/8/8/R3K3 w - - 0 1", false},
	} {
		w := at(t, materialKnowledge(), 1, test.position)
		w.know.Null = nil
		alpha := w.evals[1] + 50*(1+2*2) + 1 // more than the margin for depth 2 away
		score, cut, done := w.prune(1, 2, alpha, alpha+1, 0)
		if cut != test.cut || !done || cut && score > alpha {
			t.Errorf("%s: score %d, cut %t, alpha %d", test.position, score, cut, alpha)
		}
		if _, cut, _ := w.prune(1, 2, alpha-1, alpha, 0); cut {
			t.Errorf("%s: given up within the margin", test.position)
		}
	}
}

// TestHopeless leaves out moves that would have to change the evaluation by more
// than the margin allows, or that lose what they move.
func TestHopeless(t *testing.T) {
	const margin, depth, eval = 50, 3, 0
	for _, test := range []struct {
		name  string
		depth int
		alpha int
		value int32
		gain  int
		want  bool
	}{
		{"quiet, too far below", depth, margin * (depth + 1), 0, 0, true},
		{"quiet, near enough", depth, margin*(depth+1) - 1, 0, 0, false},
		{"quiet, far above", depth, -margin * (depth + 1), 0, 0, false},
		{"noisy, too far below", depth, margin * (depth + 1), losingMove, 0, false},
		{"a killer", depth, margin * (depth + 1), killerMove, 0, false},
		{"deep enough to wait for", pruneDepth + 1, margin * (pruneDepth + 2), 0, 0, false},
		{"a side that loses", depth, -MaxEval - 1, 0, -10_000, false},
		{"loses more than the margins", depth, -1000, losingMove, -margin*depth - 1, true},
		{"loses no more than the margins", depth, -1000, losingMove, -margin * depth, false},
		{"gains as much", depth, -1000, losingMove, margin*depth + 1, false},
		{"loses, but deep", gainDepth + 1, -1000, losingMove, -10_000, false},
	} {
		w := at(t, Knowledge{Margin: margin, Gain: func(game.Position, game.Move) int { return test.gain }}, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		w.evals[1] = eval
		if got := w.futileMove(1, test.depth, test.alpha, game.Pass, test.value); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
		if w.danger[2] = true; w.futileMove(1, test.depth, test.alpha, game.Pass, test.value) {
			t.Errorf("%s: a move that endangers the opponent is left out", test.name)
		}
		w.danger[2], w.evals[1] = false, unclear
		if w.futileMove(1, test.depth, test.alpha, game.Pass, test.value) {
			t.Errorf("%s: left out without an evaluation", test.name)
		}
	}
}

// TestLate counts the quiet moves searched before late move pruning starts.
func TestLate(t *testing.T) {
	w := at(t, Knowledge{Margin: 50}, 2, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
	w.evals[0], w.evals[2] = 0, 1
	first := func(depth int, value int32) int {
		for i := range 200 {
			if w.lateMovePruned(2, depth, i, value) {
				return i
			}
		}
		return -1
	}
	for depth, want := range map[int]int{1: 6, 2: 12, 3: 22, pruneDepth: 102, pruneDepth + 1: -1} {
		if got := first(depth, 0); got != want {
			t.Errorf("improving, depth %d: from move %d on, want %d", depth, got, want)
		}
	}
	if w.evals[0] = 1; first(3, 0) != 11 {
		t.Errorf("as good as before: from move %d on, want 11", first(3, 0))
	}
	for name, got := range map[string]int{"noisy": first(3, noisyMove), "losing": first(3, losingMove), "reply": first(3, replyMove)} {
		if got != -1 {
			t.Errorf("a %s move is left out", name)
		}
	}
	if w.danger[3] = true; first(3, 0) != -1 {
		t.Error("a move that endangers the opponent is left out")
	}
}

// TestFutile leaves captures out that lose, or win too little.
func TestFutile(t *testing.T) {
	const stand, margin = 100, 50
	for _, test := range []struct {
		gain, alpha int
		want        bool
	}{
		{-1, 0, true}, {0, 0, false}, {300, stand + 300 + 2*margin, true}, {300, stand + 300 + 2*margin - 1, false},
		{-1, -MaxEval - 1, false}, {-1, -MaxEval, true},
	} {
		w := at(t, Knowledge{Margin: margin, Gain: func(game.Position, game.Move) int { return test.gain }}, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		if got := w.futile(w.pos[1], game.Pass, stand, test.alpha); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
	if w := at(t, Knowledge{}, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"); w.futile(w.pos[1], game.Pass, stand, 0) {
		t.Error("without an estimate a capture is left out")
	}
}

// TestEstimate takes the table's score for the evaluation where its bound says
// more.
func TestEstimate(t *testing.T) {
	var w worker
	for _, test := range []struct {
		old  ttEntry
		want int
	}{
		{ttEntry{}, 100}, {ttEntry{score: 70, bound: Exact}, 70}, {ttEntry{score: 170, bound: Exact}, 170},
		{ttEntry{score: 170, bound: LowerBound}, 170}, {ttEntry{score: 70, bound: LowerBound}, 100},
		{ttEntry{score: 70, bound: UpperBound}, 70}, {ttEntry{score: 170, bound: UpperBound}, 100},
		{ttEntry{score: Won - 3, bound: Exact}, MaxEval}, {ttEntry{score: 3 - Won, bound: Exact}, -MaxEval},
	} {
		if got := w.estimate(100, test.old); got != test.want {
			t.Errorf("%+v: %d, want %d", test.old, got, test.want)
		}
	}
}

// TestImproving compares with the side's own last move.
func TestImproving(t *testing.T) {
	w := at(t, Knowledge{}, 2, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
	for _, test := range []struct {
		before, now int
		want        bool
	}{{0, 1, true}, {1, 1, false}, {2, 1, false}, {unclear, 1, true}, {1, unclear, false}, {unclear, unclear, false}} {
		w.evals[0], w.evals[2] = test.before, test.now
		if got := w.improving(2); got != test.want {
			t.Errorf("%d, then %d: improving %t", test.before, test.now, got)
		}
	}
	if w.improving(1) {
		t.Error("nothing comes before the second ply")
	}
}
