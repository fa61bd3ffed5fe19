// Package bots is what a search must know of each game: an evaluation, and
// where it pays the moves worth a look and their order. It is the one visible
// list of that knowledge; package engine knows no game, and the games know no
// search.
//
// The evaluations here are plain ones: a few features with weights set by hand.
// They are the ground on which matches prove anything better.
package bots

import (
	"fmt"

	"quintet/engine"
	"quintet/game"
)

// knowledge lists what is known of each game, by its name.
func knowledge() map[string]engine.Knowledge {
	return map[string]engine.Knowledge{
		"neighbors": {Eval: evalNeighbors, Noisy: takesPiece, Order: gatherOrder},
		"othello":   {Eval: evalOthello, Order: orderOthello},
		"loa":       {Eval: evalLOA, Order: gatherOrder},
		"connect6":  {Eval: evalConnect6, Candidates: candidatesConnect6},
		"chess":     chessKnowledge(chessStart()),
	}
}

// For returns what is known of a game. The error names the game if it has no
// place in the list.
func For(g game.Game) (engine.Knowledge, error) {
	k, ok := knowledge()[g.Name]
	if !ok {
		return engine.Knowledge{}, fmt.Errorf("%s: no evaluation is known", g.Name)
	}
	return k, nil
}
