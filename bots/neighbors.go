package bots

import (
	"quintet/engine"
	"quintet/games/neighbors"
)

// neighborsKnowledge returns what a search must know of Neighbors, with an
// evaluation by the weights.
func neighborsKnowledge(weights *gatherTable) engine.Knowledge {
	k := near{targets: neighbors.Targets}
	return engine.Knowledge{
		Eval: evalGather(weights, neighbors.Targets), Candidates: k.candidates, Noisy: takesPiece, Tactics: k.tactics,
		Order: gatherOrder, Danger: k.danger, Null: everWorse, Margin: 80,
	}
}
