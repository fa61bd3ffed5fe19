package bots

import (
	_ "embed" // the trained weights

	"quintet/bots/nnue"
	"quintet/engine"
	"quintet/games/neighbors"
)

//go:embed neighbors.nnue.gz
var neighborsNetwork []byte

func neighborsSupport() Support {
	return Support{
		Game:  "neighbors",
		Blurb: "pieces move as far as they have neighbours; gather yours into one group",
		Knowledge: func() engine.Knowledge {
			net := networkOf(readNetwork, neighborsNetwork)
			return neighborsKnowledge((*connectionTable)(net.Linear), net)
		},
		Puzzles:    PuzzleSource{Weak: 3, Strong: 6, Last: 16, Fewest: 2, Turns: 3, Horizon: 3},
		BenchDepth: 6,
		Levels: [Levels]Level{
			{33, 60, 500, 0}, {47, 50, 400, 0}, {68, 40, 300, 0}, {100, 30, 250, 0}, {146, 24, 220, 0},
			{250, 19, 190, 0}, {611, 14, 164, 0}, {2_356, 6, 100, 0}, {6_500, 0, 0, 0}, {},
		},
		Trainer: func() Trainer {
			return newConnectionTrainer(neighbors.Game, neighbors.Targets, &neighborsWeights, neighborsKnowledge)
		},
	}
}

// neighborsKnowledge returns the Knowledge of Neighbors, with an evaluation by the weights and,
// if not nil, the network.
func neighborsKnowledge(weights *connectionTable, net *nnue.Network) engine.Knowledge {
	k := winInOne{targets: neighbors.Targets}
	return engine.Knowledge{
		Eval: evalGather(weights, net, neighbors.Targets), Candidates: k.candidates, Noisy: takesPiece, Tactics: k.tactics,
		Order: connectionOrder, Danger: k.danger, Threat: k.threat, Null: passAlwaysWorse, Margin: 80,
	}
}
