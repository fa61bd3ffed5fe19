// Package review finds the mistakes of a game.
//
// [Game] searches every position of a game. The loss of a move is the difference
// between the scores of the search before and after it; a deeper search may disagree.
package review

import (
	"context"
	"fmt"
	"math"

	"quintet/engine"
	"quintet/game"
)

// Mark classifies a move.
type Mark string

// The marks, by the loss of expected result.
const (
	Good       Mark = ""
	Inaccuracy Mark = "?!" // 5 percent or more
	Mistake    Mark = "?"  // 10 percent or more
	Blunder    Mark = "??" // 20 percent or more
)

// Move is a move of a game and its assessment.
type Move struct {
	Side         game.Side
	Played       game.Move
	Best         game.Move // the best move of the search
	Value        int       // score of the best move, from the view of the side
	Loss         int       // by how much the move's score is lower, 0 or more
	ExpectedLoss float64   // of expected result, 0 to 1
	Mark         Mark
}

// Game searches every position of a game to the limit and assesses its moves. If a
// move is illegal or the context ends, it returns the moves so far and an error.
func Game(ctx context.Context, s engine.Searcher, g game.Game, start game.Position, moves []game.Move, l engine.Limit) (list []Move, err error) {
	m := game.NewMatch(g, start)
	before := search(ctx, s, m, l)
	for i, played := range moves {
		side := m.Position().Turn()
		if err := m.Play(played); err != nil {
			return list, fmt.Errorf("move %d: %w", i+1, err)
		}
		after := search(ctx, s, m, l)
		if err := ctx.Err(); err != nil {
			return list, fmt.Errorf("reviewing move %d: %w", i+1, err)
		}
		value := after.Score
		if m.Position().Turn() != side {
			value = -value
		}
		list = append(list, classify(side, played, before, value))
		before = after
	}
	return list, nil
}

// search searches the position of a match. A finished game has the score of its
// result.
func search(ctx context.Context, s engine.Searcher, m *game.Match, l engine.Limit) engine.Line {
	p := m.Position()
	if o := m.Outcome().Result; o.Over() {
		winner, won := o.Winner()
		switch {
		case !won:
			return engine.Line{}
		case winner == p.Turn():
			return engine.Line{Score: engine.Won}
		}
		return engine.Line{Score: -engine.Won}
	}
	return s.Search(ctx, engine.At(m), l, nil)
}

// classify compares the best move with the value of the move that was played.
func classify(side game.Side, played game.Move, best engine.Line, value int) Move {
	m := Move{Side: side, Played: played, Best: best.Best(), Value: best.Score}
	if played == m.Best || value >= best.Score {
		return m
	}
	m.Loss = best.Score - value
	m.ExpectedLoss = expected(best.Score) - expected(value)
	switch {
	case m.ExpectedLoss >= 0.20:
		m.Mark = Blunder
	case m.ExpectedLoss >= 0.10:
		m.Mark = Mistake
	case m.ExpectedLoss >= 0.05:
		m.Mark = Inaccuracy
	}
	return m
}

// expected returns the expected result at a score, 0 to 1, on the logistic Elo scale:
// a lead of 400 points wins ten games of eleven.
func expected(score int) float64 { return 1 / (1 + math.Pow(10, -float64(score)/400)) }
