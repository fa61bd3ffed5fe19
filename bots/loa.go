package bots

import (
	"quintet/engine"
	"quintet/game"
	"quintet/games/loa"
)

// loaKnowledge returns what a search must know of Lines of Action, with an
// evaluation by the weights.
func loaKnowledge(weights *gatherTable) engine.Knowledge {
	k := near{targets: loa.Targets}
	return engine.Knowledge{
		Eval: evalGather(weights, loa.Targets), Candidates: k.candidates, Noisy: takesPiece, Tactics: k.tactics,
		Order: gatherOrder, Danger: k.danger, Null: everWorse, Margin: 60,
	}
}

// everWorse says that to pass is always worse than to move.
func everWorse(game.Position) bool { return true }
