// Package review finds the mistakes of a game.
//
// [Game] searches every position of a game; a [Walk] does so one position at a time. The
// loss of a move is the difference between the winning chances before and after it, by the
// scores of the search; a deeper search may disagree. [Chance] turns scores into chances,
// with a constant for each game that is fitted to results of games.
package review

import (
	"context"
	"fmt"

	"quintet/engine"
	"quintet/game"
)

// Mark classifies a move.
type Mark string

// The marks, by the loss of winning chances.
const (
	Good       Mark = ""
	Inaccuracy Mark = "?!" // 5 percent or more
	Mistake    Mark = "?"  // 10 percent or more
	Blunder    Mark = "??" // 20 percent or more
)

// Move is a move of a game and its assessment. Scores are from the view of the side that
// moved.
type Move struct {
	Side         game.Side
	Played       game.Move
	Best         game.Move   // the best move of the search
	Line         []game.Move // the moves that the search expects, from Best on
	Value        int         // score of the best move
	After        int         // score of the move that was played; at most Value
	Loss         int         // Value less After
	Chance       float64     // winning chances after the move that was played, 0 to 1
	ExpectedLoss float64     // of winning chances, 0 to 1
	Mark         Mark
}

// Exact reports whether the score of a search is the exact value of a position: the result
// of the game is certain then, whatever the margin. It may be nil.
type Exact func(p game.Position, l engine.Line) bool

// Game searches every position of a game to the limit and assesses its moves. If a
// move is illegal or the context ends, it returns the moves so far and an error.
func Game(ctx context.Context, s engine.Searcher, g game.Game, start game.Position, moves []game.Move, l engine.Limit, exact Exact) (list []Move, err error) {
	w := NewWalk(g, start, moves, 0, exact)
	for !w.Done() {
		m, ok, err := w.Step(ctx, s, l)
		if err != nil {
			return list, err
		}
		if ok {
			list = append(list, m)
		}
	}
	return list, nil
}

// Walk goes through the positions of a game.
type Walk struct {
	match  *game.Match
	exact  Exact
	moves  []game.Move
	ply    int   // of the next move to assess
	before found // of the position before it, once begun
	begun  bool
}

// found is what a search has found, with the winning chances of the side to move.
type found struct {
	engine.Line
	chance float64
}

// NewWalk returns a walk that assesses the moves from a ply on, 0 being the first. The
// moves before it must be legal.
func NewWalk(g game.Game, start game.Position, moves []game.Move, from int, exact Exact) *Walk {
	m := game.NewMatch(g, start)
	for _, mv := range moves[:from] {
		_ = m.Play(mv) // a match that is over takes no more, and Step says so
	}
	return &Walk{match: m, exact: exact, moves: moves, ply: from}
}

// Done reports whether all moves are assessed.
func (w *Walk) Done() bool { return w.ply >= len(w.moves) }

// Ply returns how many moves have been played, those before the walk included.
func (w *Walk) Ply() int { return w.ply }

// Position returns a copy of the position that the walk has reached.
func (w *Walk) Position() game.Position { return w.match.Position().Clone() }

// Step searches one position to the limit. ok is false for the first, after which no move
// is assessed yet. The walk must not be Done.
func (w *Walk) Step(ctx context.Context, s engine.Searcher, l engine.Limit) (m Move, ok bool, err error) {
	if !w.begun {
		line := w.search(ctx, s, l)
		if err := ctx.Err(); err != nil {
			return m, false, fmt.Errorf("reviewing move %d: %w", w.ply+1, err)
		}
		w.before, w.begun = line, true
		return m, false, nil
	}
	played, side := w.moves[w.ply], w.match.Position().Turn()
	if err := w.match.Play(played); err != nil {
		return m, false, fmt.Errorf("move %d: %w", w.ply+1, err)
	}
	after := w.search(ctx, s, l)
	if err := ctx.Err(); err != nil {
		w.match.Undo() // so that Step can be called again
		return m, false, fmt.Errorf("reviewing move %d: %w", w.ply+1, err)
	}
	own := after
	if w.match.Position().Turn() != side {
		own.Score, own.chance = -own.Score, 1-own.chance
	}
	m = classify(side, played, w.before, own)
	if w.match.Outcome().Result.Over() {
		m.Chance = own.chance // the result, however the position looked before
	}
	w.before = after
	w.ply++
	return m, true, nil
}

// search searches the position that the walk has reached. A finished game has the score of
// its result.
func (w *Walk) search(ctx context.Context, s engine.Searcher, l engine.Limit) found {
	p := w.match.Position()
	if o := w.match.Outcome().Result; o.Over() {
		winner, won := o.Winner()
		switch {
		case !won:
			return found{engine.Line{}, 0.5}
		case winner == p.Turn():
			return found{engine.Line{Score: engine.Won}, 1}
		}
		return found{engine.Line{Score: -engine.Won}, 0}
	}
	line := s.Search(ctx, engine.At(w.match), l, nil)
	if w.exact != nil && w.exact(p, line) {
		return found{line, ExactChance(line.Score)}
	}
	return found{line, Chance(w.match.Game().Name, line.Score)}
}

// classify compares the best move with what was found after the move that was played, from
// the view of the side that moved.
func classify(side game.Side, played game.Move, best, after found) Move {
	m := Move{Side: side, Played: played, Best: best.Best(), Line: best.Moves, Value: best.Score, After: best.Score, Chance: best.chance}
	if played == m.Best || after.Score >= best.Score {
		return m
	}
	m.After, m.Loss, m.Chance = after.Score, best.Score-after.Score, min(after.chance, best.chance)
	m.ExpectedLoss = best.chance - m.Chance
	m.Mark = MarkOf(m.ExpectedLoss)
	return m
}

// MarkOf classifies a loss of winning chances, 0 to 1.
func MarkOf(loss float64) Mark {
	switch {
	case loss >= 0.20:
		return Blunder
	case loss >= 0.10:
		return Mistake
	case loss >= 0.05:
		return Inaccuracy
	}
	return Good
}
