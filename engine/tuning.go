package engine

import "math"

// Tuning holds the constants by which AlphaBeta orders, reduces and prunes moves. They are
// specific to a game, and found by SPSA (docs/internals/engines.md). Margins are in units of
// Knowledge.Eval, reductions in hundredths of a ply. The zero Tuning stands for DefaultTuning.
type Tuning struct {
	Aspiration int // half the width of the first aspiration window

	// Quiet moves of nodes that are searched OrderDepth plies or deeper (0 for none) are ordered
	// by the evaluation after them, too. A point of it counts OrderWeight, while history
	// ranges from -49,152 to 49,152.
	OrderDepth, OrderWeight int

	// Late move reductions: ReduceBase, and ReduceLog times the logarithms of the depth and of
	// the number of the move.
	ReduceBase, ReduceLog int
	ReduceHistory         int // less for 16,384 of history and order by evaluation
	ReduceWorsening       int // more where the evaluation is not better than at the side's last move
	ReduceCut             int // more at a node that is expected to fail high (cut node)
	ReduceNoisy           int // more for a quiet move where the table's is noisy: a capture probably decides
	ReduceDanger          int // less in danger
	ReducePV              int // less with an open window, for countermoves, and for moves that endanger the opponent

	// Late move pruning: from tenths of a move on, LateBase and LateDepth times the squared
	// depth; LateWorsening percent of it where the evaluation is not improving.
	LateBase, LateDepth, LateWorsening int

	// Reverse futility pruning: by ReverseMargin for each ply, less ReverseImproving.
	ReverseMargin, ReverseImproving int

	// Razoring: by RazorMargin, and twice that for each ply.
	RazorMargin int

	// Futility pruning of quiet moves: by FutilityBase, and FutilityMargin for each ply, below
	// alpha; AfterBase and AfterMargin are those by the evaluation after the move, 0 for none.
	FutilityBase, FutilityMargin int
	AfterBase, AfterMargin       int

	// Null moves: the reduction is NullBase, NullDepth for each ply, and a ply for each NullEval
	// points of evaluation above beta, at most three.
	NullBase, NullDepth, NullEval int

	// SingularMargin, in tenths of a point for each ply, is how much worse than the table's move
	// all other moves must be for it to be extended.
	SingularMargin int

	// ProbCut is by how much a shallow search of a noisy move must exceed beta to end the
	// search of a node; 0 for no ProbCut.
	ProbCut int
}

// DefaultTuning returns constants for a game whose evaluation a quiet move hardly ever changes by
// more than a margin. They are a starting point for SPSA.
func DefaultTuning(margin int) Tuning {
	return Tuning{
		Aspiration: 30,
		ReduceBase: 40, ReduceLog: 45, ReduceHistory: 200, ReduceWorsening: 100, ReduceDanger: 100, ReducePV: 100,
		LateBase: 40, LateDepth: 20, LateWorsening: 50,
		ReverseMargin: margin, ReverseImproving: margin / 2, RazorMargin: margin,
		FutilityBase: margin, FutilityMargin: margin,
		NullBase: 300, NullDepth: 25, NullEval: max(2*margin, 1),
		SingularMargin: 20,
	}
}

// Constants returns the constants by name, for changes.
func (t *Tuning) Constants() Constants {
	const most = 1_000
	return Constants{
		{"Aspiration", &t.Aspiration, 1, most, 3},
		{"OrderDepth", &t.OrderDepth, 0, most, 0},
		{"OrderWeight", &t.OrderWeight, 0, maxOrderWeight, 25},
		{"ReduceBase", &t.ReduceBase, -most, most, 20},
		{"ReduceLog", &t.ReduceLog, -most, most, 5},
		{"ReduceHistory", &t.ReduceHistory, -most, most, 40},
		{"ReduceWorsening", &t.ReduceWorsening, -most, most, 25},
		{"ReduceCut", &t.ReduceCut, -most, most, 25},
		{"ReduceNoisy", &t.ReduceNoisy, -most, most, 25},
		{"ReduceDanger", &t.ReduceDanger, -most, most, 25},
		{"ReducePV", &t.ReducePV, -most, most, 25},
		{"LateBase", &t.LateBase, -most, most, 12},
		{"LateDepth", &t.LateDepth, -most, most, 4},
		{"LateWorsening", &t.LateWorsening, -most, most, 8},
		{"ReverseMargin", &t.ReverseMargin, -most, most, 8},
		{"ReverseImproving", &t.ReverseImproving, -most, most, 10},
		{"RazorMargin", &t.RazorMargin, -most, most, 15},
		{"FutilityBase", &t.FutilityBase, -most, most, 20},
		{"FutilityMargin", &t.FutilityMargin, -most, most, 15},
		{"AfterBase", &t.AfterBase, -most, most, 15},
		{"AfterMargin", &t.AfterMargin, 0, most, 8},
		{"NullBase", &t.NullBase, 0, most, 30},
		{"NullDepth", &t.NullDepth, 0, most, 6},
		{"NullEval", &t.NullEval, 1, most, 20},
		{"SingularMargin", &t.SingularMargin, -most, most, 5},
		{"ProbCut", &t.ProbCut, 0, most, 0},
	}
}

// reductions returns, in hundredths of a ply, by how much a move is searched less deep at first,
// for a depth and the number of the move. That it grows with the logarithms of both was found by
// many programs (chessprogramming.org, "Late Move Reductions").
func (t *Tuning) reductions() *[64][64]int16 {
	table := new([64][64]int16)
	for depth := 1; depth < 64; depth++ {
		for i := 1; i < 64; i++ {
			table[depth][i] = int16(float64(t.ReduceBase) + math.Log(float64(depth))*math.Log(float64(i))*float64(t.ReduceLog))
		}
	}
	return table
}
