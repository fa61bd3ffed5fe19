package bots

import (
	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/train/logistic"
)

// chessTraining returns the training specification of chess: each feature has two weights,
// for the middle game and the endgame.
func chessTraining(weights *chessTable) *trainingSpec {
	var buffer []logistic.Term
	return &trainingSpec{
		game: chess.Game, opening: 10, spread: 1, plies: 240, early: true, rate: 1.0, pull: 2e-9,
		know:  func() engine.Knowledge { return chessKnowledge(weights) },
		quiet: func(p game.Position, m game.Move) bool { return !p.(*chess.Position).Threatened() && !takesMan(p, m) },
		view:  func(game.Position) game.Side { return game.First },
		terms: func(p game.Position, score int) (l trainingPosition) {
			l.terms, l.fixed = chessTerms(p.(*chess.Position), score < 0, buffer[:0])
			buffer = l.terms
			return l
		},
		count: 2 * chessWeightCount,
		get: func(i int) float64 {
			middle, end := unpackWeight(weights[i/2])
			return float64([2]int{middle, end}[i%2])
		},
		set: func(i int, to float64) {
			middle, end := unpackWeight(weights[i/2])
			if i%2 == 0 {
				weights.set(i/2, rounded(to), end)
			} else {
				weights.set(i/2, middle, rounded(to))
			}
		},
		name: "chessWeights", kind: "chessTable", note: "Each line has eight, packed as packWeight says.", perLine: 8,
		values: func() []int64 { return whole(weights[:]) },
	}
}

// whole converts weights to numbers to write.
func whole[T ~int32](weights []T) (list []int64) {
	for _, w := range weights {
		list = append(list, int64(w))
	}
	return list
}

// chessTerms appends the terms of a position's score for White and returns its constant
// part.
func chessTerms(p *chess.Position, second bool, terms []logistic.Term) (all []logistic.Term, fixed float64) {
	var counts [chessWeightCount]int16
	e := chessEval{weights: &chessTable{}, trace: &counts}
	e.count(p)
	share := float64(e.winnable(p, second)) / 8
	phase := float64(phaseOf(p)) / chessPhase
	for f, n := range counts {
		if n == 0 {
			continue
		}
		if phase > 0 {
			terms = append(terms, logistic.Term{Feature: uint16(2 * f), Count: float32(float64(n) * phase * share)})
		}
		if phase < 1 {
			terms = append(terms, logistic.Term{Feature: uint16(2*f + 1), Count: float32(float64(n) * (1 - phase) * share)})
		}
	}
	return terms, float64(sign(p.Turn()) * chessTempo)
}
