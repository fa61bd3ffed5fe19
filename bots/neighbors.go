package bots

import (
	_ "embed" // the trained weights

	"quintet/engine"
	"quintet/games/neighbors"
)

//go:embed neighbors.nnue.gz
var neighborsNetwork []byte

func neighborsProfile() GameProfile {
	return GameProfile{
		Game:       "neighbors",
		Knowledge:  NeighborsEvaluation().trained,
		Puzzles:    connectionPuzzles(),
		Scale:      430,
		Describe:   describeGroups,
		BenchDepth: 9,
		// Found by matches, so that levels score 74 to 80 % against the level below (docs/levels.md).
		Levels: [Levels]Level{
			{34, 58, 480, 0}, {45, 50, 400, 0}, {62, 41, 310, 0}, {88, 32, 260, 0}, {128, 25, 225, 0},
			{220, 19, 190, 0}, {520, 14, 164, 0}, {1_450, 8, 120, 0}, {4_900, 0, 0, 0}, {},
		},
	}
}

// NeighborsEvaluation returns the evaluation of Neighbors. TraceConnection reads positions for it.
func NeighborsEvaluation() NetworkEvaluation {
	return connectionEvaluation(neighborsNetwork, neighbors.Targets, 80, neighborsTuning())
}

// neighborsTuning returns constants that SPSA found (docs/internals/experiments.md).
func neighborsTuning() engine.Tuning {
	return engine.Tuning{
		Aspiration: 7,
		OrderDepth: 3, OrderWeight: 147,
		ReduceBase: -23, ReduceLog: 46, ReduceHistory: 272, ReduceWorsening: 123, ReduceCut: -31, ReduceNoisy: -66,
		ReduceDanger: 166, ReducePV: 195,
		LateBase: 92, LateDepth: 24, LateWorsening: 62,
		ReverseMargin: 29, ReverseImproving: 23, RazorMargin: 70,
		FutilityBase: 43, FutilityMargin: 133, AfterBase: 9, AfterMargin: 27,
		NullBase: 150, NullDepth: 43, NullEval: 62,
		SingularMargin: 21,
	}
}
