package engine

import (
	"testing"

	"quintet/game"
)

// rookKnowledge evaluates positions with a white rook by its row, and counts evaluations.
func rookKnowledge(evals *int) Knowledge {
	k := Knowledge{
		Eval: func(p game.Position) int {
			*evals++
			score := material(p)
			for row, text := 0, p.String(); ; text = text[1:] {
				switch text[0] {
				case '/':
					row++
				case 'R':
					if p.Turn() == game.Second {
						return score - 10*row
					}
					return score + 10*row
				}
			}
		},
		Noisy: takes, Margin: 50, Tuning: DefaultTuning(50),
	}
	k.Tuning.OrderDepth, k.Tuning.OrderWeight = 3, 100
	return k
}

// TestOrderByEval tries the rook's moves toward the first row first, which the evaluation
// prefers, and evaluates nothing before such a move is due or at shallow nodes.
func TestOrderByEval(t *testing.T) {
	evals := 0
	for _, test := range []struct {
		name  string
		depth int
		first string // the table's move, or ""
		moves []string
		evals bool
	}{
		{"the evaluation decides", 3, "", []string{"a4a1", "a4a2", "a4a3"}, true},
		{"near the horizon it is not asked", 2, "", nil, false},
		{"the table's move comes first", 3, "a4a8", []string{"a4a8"}, false},
		{"a killer comes before the evaluation, too", 3, "a4h4", []string{"a4h4", "a4g4"}, false},
		{"and the others by the evaluation", 3, "a4a8", []string{"a4a8", "a4a1", "a4a2"}, true},
	} {
		w := at(t, rookKnowledge(&evals), 1, "7k/8/8/8/R7/8/8/K7 w - - 0 1")
		w.pos[1].Play(mustParse(t, w.pos[1], "a1b1"))
		w.pos[1].Play(mustParse(t, w.pos[1], "h8g8"))
		var first game.Move
		if test.first != "" {
			first = mustParse(t, w.pos[1], test.first)
		}
		w.order.killers[1][0] = 0
		if test.first == "a4h4" {
			w.order.killers[1][0] = mustParse(t, w.pos[1], "a4g4")
		}
		moves, values := w.generate(1)
		w.score(w.pos[1], 1, moves, values, first, 0)
		b := w.newLoop(1, test.depth, 0, 1, first, 0, 0)
		evals = 0
		for i, want := range test.moves {
			w.choose(&b, moves, values[:len(moves)], i)
			if got := w.pos[1].Format(moves[i]); got != want {
				t.Errorf("%s: move %d is %s, want %s", test.name, i+1, got, want)
			}
		}
		if (evals > 0) != test.evals {
			t.Errorf("%s: %d evaluations", test.name, evals)
		}
	}
}

// TestReductions adds up what the node and the move say, in hundredths of a ply.
func TestReductions(t *testing.T) {
	k := Knowledge{Margin: 50, Tuning: Tuning{
		ReduceBase: 500, ReduceHistory: 200, ReduceWorsening: 100, ReduceCut: 300, ReduceNoisy: 400, ReduceDanger: 150, ReducePV: 250, NullEval: 1,
	}}
	for _, test := range []struct {
		name   string
		change func(w *worker)
		window int
		value  int32
		want   int
	}{
		{"a late quiet move", nil, 1, 0, 5},
		{"with good history", nil, 1, historyLimit, 3},
		{"with bad history", nil, 1, -historyLimit, 7},
		{"a countermove", nil, 1, replyMove, 2},
		{"with an open window", nil, 30, 0, 2},
		{"a move that endangers the opponent", func(w *worker) { w.danger[2] = true }, 1, 0, 2},
		{"in danger", func(w *worker) { w.danger[1] = true }, 1, 0, 3},
		{"at a cut node", func(w *worker) { w.cut[1] = true }, 1, 0, 8},
		{"after a noisy move of the table", func(w *worker) { w.noisyFirst[1] = true }, 1, 0, 9},
		{"where the evaluation is worse than before", func(w *worker) { w.evals[1] = 0 }, 1, 0, 6},
	} {
		w := at(t, k, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		if test.change != nil {
			test.change(w)
		}
		if got := w.reduction(1, 20, test.window, 10, test.value); got != test.want {
			t.Errorf("%s: %d plies less, want %d", test.name, got, test.want)
		}
	}
}

// TestNullReduction counts the plies by which a null move is searched less deep.
func TestNullReduction(t *testing.T) {
	for _, test := range []struct{ above, want int }{{0, 3}, {99, 3}, {100, 4}, {300, 6}, {900, 6}} {
		k := materialKnowledge()
		k.Tuning = DefaultTuning(50)
		k.Tuning.NullBase, k.Tuning.NullDepth, k.Tuning.NullEval = 150, 20, 100
		w := at(t, k, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		if got := w.nullReduction(8, 100, 100+test.above); got != test.want {
			t.Errorf("%d above beta: %d plies less, want %d", test.above, got, test.want)
		}
	}
}

// mustParse parses a move.
func mustParse(t *testing.T, p game.Position, text string) game.Move {
	t.Helper()
	m, err := p.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFutileAfter leaves out a quiet move whose evaluation is known to be too far below alpha.
func TestFutileAfter(t *testing.T) {
	const base, margin, depth, eval = 10, 30, 3, 200
	k := Knowledge{Margin: 50, Tuning: DefaultTuning(50)}
	k.Tuning.AfterBase, k.Tuning.AfterMargin = base, margin
	limit := eval + base + margin*depth
	for _, test := range []struct {
		name          string
		depth, alpha  int
		value         int32
		known, danger bool
		want          bool
	}{
		{"far below", depth, limit, 0, true, false, true},
		{"near enough", depth, limit - 1, 0, true, false, false},
		{"not evaluated", depth, limit, 0, false, false, false},
		{"endangers the opponent", depth, limit, 0, true, true, false},
		{"noisy", depth, limit, noisyMove, true, false, false},
		{"a countermove", depth, limit, replyMove, true, false, false},
		{"too deep", pruneDepth + 1, eval + base + margin*(pruneDepth+1), 0, true, false, false},
		{"a side that loses", depth, -MaxEval - 1, 0, true, false, false},
	} {
		w := at(t, k, 1, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
		w.evals[1] = 0
		w.play(1, mustParse(t, w.pos[1], "a1a2"))
		if w.danger[2] = test.danger; test.known {
			w.cache.put(w.keys[2], -eval)
		}
		if got := w.futileAfter(1, test.depth, test.alpha, test.value); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
		if w.tuning.AfterMargin = 0; w.futileAfter(1, test.depth, test.alpha, test.value) {
			t.Errorf("%s: left out without a margin", test.name)
		}
	}
}

// TestEvalAfter returns the view of the side that moves, and that of a finished game.
func TestEvalAfter(t *testing.T) {
	w := at(t, materialKnowledge(), 1, "k7/8/8/8/8/8/8/R3K3 w - - 0 1")
	for move, want := range map[string]int{"a1a2": 500, "a1a8": MaxEval} {
		if got := w.evalAfter(1, mustParse(t, w.pos[1], move)); got != want {
			t.Errorf("%s: %d, want %d", move, got, want)
		}
	}
}
