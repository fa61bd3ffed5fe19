package bots

import (
	"quintet/engine"
	"quintet/game"
	"quintet/train/logistic"
)

// connectionTraining returns the training specification of a connection game; name is the
// name of its table.
func connectionTraining(g game.Game, name string, weights *connectionTable, know func(*connectionTable) engine.Knowledge, targets moving) *trainingSpec {
	k := winInOne{targets: targets}
	var buffer []logistic.Term
	return &trainingSpec{
		game: g, opening: 4, spread: 7, plies: 160, rate: 2.0, pull: 2e-8,
		know:  func() engine.Knowledge { return know(weights) },
		quiet: func(p game.Position, _ game.Move) bool { return !k.danger(p) },
		view:  game.Position.Turn,
		terms: func(p game.Position, _ int) trainingPosition {
			buffer = connectionTerms(p.(connectionPosition), weights, targets, buffer[:0])
			return trainingPosition{terms: buffer}
		},
		count: connectionWeights,
		get:   func(i int) float64 { return float64(weights[i]) },
		set:   func(i int, to float64) { weights[i] = int32(rounded(to)) },
		name:  name, kind: "connectionTable", note: "The constants of connectionTable define their order.", perLine: 10,
		values: func() []int64 { return whole(weights[:]) },
	}
}

// connectionTerms appends the terms of a position's score for the side to move.
func connectionTerms(p connectionPosition, weights *connectionTable, targets moving, terms []logistic.Term) []logistic.Term {
	var trace [connectionWeights]float32
	e := connectionEval{weights: weights, targets: targets, trace: &trace}
	e.count(p.Sides())
	for f, n := range trace {
		if n != 0 {
			terms = append(terms, logistic.Term{Feature: uint16(f), Count: n})
		}
	}
	return terms
}
