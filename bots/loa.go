package bots

import (
	_ "embed" // the trained weights

	"quintet/engine"
	"quintet/games/loa"
)

//go:embed loa.nnue.gz
var loaNetwork []byte

func loaProfile() GameProfile {
	return GameProfile{
		Game:       "loa",
		Knowledge:  LOAEvaluation().trained,
		Puzzles:    connectionPuzzles(),
		Scale:      240,
		Describe:   describeGroups,
		BenchDepth: 7,
		// Found by matches, so that levels score 72 to 78 % against the level below (docs/levels.md).
		Levels: [Levels]Level{
			{56, 58, 485, 0}, {94, 50, 400, 0}, {167, 40, 300, 0}, {400, 32, 260, 0}, {750, 21, 205, 0},
			{1_282, 12, 150, 0}, {2_600, 8, 110, 0}, {5_700, 4, 65, 0}, {15_000, 0, 0, 0}, {},
		},
	}
}

// LOAEvaluation returns the evaluation of Lines of Action. TraceConnection reads positions for it.
func LOAEvaluation() NetworkEvaluation {
	return connectionEvaluation(loaNetwork, loa.Targets, 60, loaTuning())
}

// loaTuning returns constants that SPSA found (docs/internals/experiments.md).
func loaTuning() engine.Tuning {
	return engine.Tuning{
		Aspiration: 12,
		OrderDepth: 4, OrderWeight: 129,
		ReduceBase: -28, ReduceLog: 32, ReduceHistory: 183, ReduceWorsening: 129, ReduceCut: -23, ReduceNoisy: -8,
		ReduceDanger: 124, ReducePV: 124,
		LateBase: 56, LateDepth: 11, LateWorsening: 49,
		ReverseMargin: 30, ReverseImproving: 7, RazorMargin: 52,
		FutilityBase: 36, FutilityMargin: 71, AfterBase: 38, AfterMargin: 7,
		NullBase: 340, NullDepth: 26, NullEval: 51,
		SingularMargin: 22,
	}
}
