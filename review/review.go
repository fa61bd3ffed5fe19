// Package review says what each move of a game gave away.
//
// [Game] searches every position of a game. What a move gave away is the
// difference between the best line before it and the one after it, both as the
// search sees them: a deeper search may see otherwise.
package review

import (
	"context"
	"fmt"
	"math"

	"quintet/engine"
	"quintet/game"
)

// Mark is how bad a move was.
type Mark string

// The marks, by how much of the expected result a move gave away.
const (
	Good       Mark = ""
	Inaccuracy Mark = "?!" // 5 percent or more
	Mistake    Mark = "?"  // 10 percent or more
	Blunder    Mark = "??" // 20 percent or more
)

// Move is a move of a game, and what was thought of it.
type Move struct {
	Side   game.Side
	Played game.Move
	Best   game.Move // what the search would have played
	Value  int       // of the best move, in points of the search, from the view of the side
	Loss   int       // points that the move gave away, 0 or more
	Chance float64   // the share of the expected result that it gave away, 0 to 1
	Mark   Mark
}

// Game searches the positions of a game, each to the limit, and returns what its
// moves gave away. Moves must be legal one after the other. If the context ends,
// it returns the moves so far and an error.
func Game(ctx context.Context, s engine.Searcher, g game.Game, start game.Position, moves []game.Move, l engine.Limit) (list []Move, err error) {
	m := game.NewMatch(g, start)
	before := search(ctx, s, g, m, l)
	for i, played := range moves {
		side := m.Position().Turn()
		if err := m.Play(played); err != nil {
			return list, fmt.Errorf("move %d: %w", i+1, err)
		}
		after := search(ctx, s, g, m, l)
		if err := ctx.Err(); err != nil {
			return list, fmt.Errorf("reviewing move %d: %w", i+1, err)
		}
		value := after.Score
		if m.Position().Turn() != side {
			value = -value
		}
		list = append(list, judge(side, played, before, value))
		before = after
	}
	return list, nil
}

// search searches the position of a match. A game that is over, or halted, has
// the value of its result.
func search(ctx context.Context, s engine.Searcher, g game.Game, m *game.Match, l engine.Limit) engine.Line {
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
	keys := m.Keys()
	return s.Search(ctx, engine.Position{Position: p, History: keys[:len(keys)-1], Repeat: g.Repeat}, l, nil)
}

// judge compares what was best with the value of what was played.
func judge(side game.Side, played game.Move, best engine.Line, value int) Move {
	m := Move{Side: side, Played: played, Best: best.Best(), Value: best.Score}
	if played == m.Best || value >= best.Score {
		return m
	}
	m.Loss = best.Score - value
	m.Chance = expected(best.Score) - expected(value)
	switch {
	case m.Chance >= 0.20:
		m.Mark = Blunder
	case m.Chance >= 0.10:
		m.Mark = Mistake
	case m.Chance >= 0.05:
		m.Mark = Inaccuracy
	}
	return m
}

// expected returns the result to be expected at a score, 0 to 1: a lead of 400
// points wins ten games of eleven, as with ratings.
func expected(score int) float64 { return 1 / (1 + math.Pow(10, -float64(score)/400)) }
