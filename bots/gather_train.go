package bots

import (
	"quintet/engine"
	"quintet/game"
	"quintet/train/logistic"
)

// gatherCourse is how a game is learnt in which pieces are gathered; name is
// that of its table.
func gatherCourse(g game.Game, name string, weights *gatherTable, know func(*gatherTable) engine.Knowledge, targets moving) *course {
	k := near{targets: targets}
	var buffer []logistic.Term
	return &course{
		game: g, opening: 4, spread: 7, plies: 160, rate: 2.0, pull: 2e-8,
		know:  func() engine.Knowledge { return know(weights) },
		quiet: func(p game.Position, _ game.Move) bool { return !k.danger(p) },
		view:  game.Position.Turn,
		terms: func(p game.Position, _ int) lesson {
			buffer = gatherTerms(p.(gathering), weights, targets, buffer[:0])
			return lesson{terms: buffer}
		},
		count: gatherWeights,
		get:   func(i int) float64 { return float64(weights[i]) },
		set:   func(i int, to float64) { weights[i] = int32(rounded(to)) },
		name:  name, kind: "gatherTable", note: "They lie as the constants of gatherTable say.", perLine: 10,
		values: func() []int64 { return whole(weights[:]) },
	}
}

// gatherTerms appends the terms of a position's score for the side to move.
func gatherTerms(p gathering, weights *gatherTable, targets moving, terms []logistic.Term) []logistic.Term {
	var trace [gatherWeights]float32
	e := gatherEval{weights: weights, targets: targets, trace: &trace}
	e.count(p.Sides())
	for f, n := range trace {
		if n != 0 {
			terms = append(terms, logistic.Term{Feature: uint16(f), Count: n})
		}
	}
	return terms
}
