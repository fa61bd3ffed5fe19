// Package review finds the mistakes of a game.
//
// [Game] searches every position of a game; a [Walk] does so one position at a time. The
// loss of a move is the difference between the winning chances before and after it, by the
// scores of the search. A loss that earns a mark is confirmed: the best move and the played
// one are searched to the same depth, and the smaller loss counts. A deeper search may
// disagree. [Chance] turns scores into chances, with constants for each game that are
// fitted to results of games.
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
	turn   game.Side
	chance float64
}

// seenBy returns what was found from the view of a side.
func (f found) seenBy(side game.Side) found {
	if f.turn != side {
		f.turn, f.Score, f.chance = side, -f.Score, 1-f.chance
	}
	return f
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

// Score returns the score of the position that the walk has reached, from the view of the first
// side. ok is false before the first step and after the end of the game, where nothing was searched.
func (w *Walk) Score() (score int, ok bool) {
	return w.before.seenBy(game.First).Score, len(w.before.Moves) > 0
}

// Step searches one position to the limit, and confirms a loss with other limits. ok is false for
// the first position, after which no move can be assessed yet. The walk must not be Done.
func (w *Walk) Step(ctx context.Context, s engine.Searcher, l engine.Limit) (m Move, ok bool, err error) {
	if !w.begun {
		w.before, err = w.search(ctx, s, l)
		w.begun = err == nil
		return m, false, err
	}
	if err := w.match.Play(w.moves[w.ply]); err != nil {
		return m, false, fmt.Errorf("move %d: %w", w.ply+1, err)
	}
	m, after, err := w.assess(ctx, s, l)
	if err != nil {
		w.match.Undo() // so that Step can be called again
		return m, false, err
	}
	w.before = after
	w.ply++
	return m, true, nil
}

// assess assesses the move that was just played, and returns what the search after it has
// found.
func (w *Walk) assess(ctx context.Context, s engine.Searcher, l engine.Limit) (m Move, after found, err error) {
	if after, err = w.search(ctx, s, l); err != nil {
		return m, after, err
	}
	side := w.before.turn
	own := after.seenBy(side)
	m = classify(side, w.moves[w.ply], w.before, own)
	switch {
	case w.match.Outcome().Result.Over():
		m.Chance = own.chance // the result, however the position looked before
	case m.Mark != Good:
		m, err = w.confirm(ctx, s, confirmLimit(l, after.Line), m)
	}
	return m, after, err
}

// search searches the position that the walk has reached. A finished game has the score of
// its result.
func (w *Walk) search(ctx context.Context, s engine.Searcher, l engine.Limit) (found, error) {
	p := w.match.Position()
	f := found{turn: p.Turn()}
	if o := w.match.Outcome().Result; o.Over() {
		winner, won := o.Winner()
		switch {
		case !won:
			f.chance = 0.5
		case winner == p.Turn():
			f.Score, f.chance = engine.Won, 1
		default:
			f.Score = -engine.Won
		}
		return f, nil
	}
	f.Line = s.Search(ctx, engine.At(w.match), l, nil)
	err := ctx.Err()
	if err == nil {
		err = engine.SearchError(s)
	}
	if err != nil {
		return f, fmt.Errorf("reviewing move %d: %w", w.ply+1, err)
	}
	if w.exact != nil && w.exact(p, f.Line) {
		f.chance = ExactChance(f.Score)
	} else {
		f.chance = Chance(w.match.Game().Name, f.Score)
	}
	return f, nil
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

// confirmLimit returns the limit of the searches that confirm a loss: the depth of the search
// after the move, which other moves may need more nodes for, or twice the nodes if that
// search ended early with a proof.
func confirmLimit(l engine.Limit, after engine.Line) engine.Limit {
	if max(after.Score, -after.Score) > engine.MaxEval {
		l.Nodes *= 2
		return l
	}
	l.Depth = after.Depth
	l.Nodes *= 4
	return l
}

// confirm searches the positions after the best move and after the played one, which the
// walk has reached, with the same limit, and keeps the smaller loss. The searches before and
// after a move look one ply apart, and evaluations swing between odd and even depths.
func (w *Walk) confirm(ctx context.Context, s engine.Searcher, l engine.Limit, m Move) (Move, error) {
	played, err := w.search(ctx, s, l)
	if err != nil {
		return m, err
	}
	best, err := w.searchInstead(ctx, s, l, m.Best)
	if err != nil {
		return m, err
	}
	best, played = best.seenBy(m.Side), played.seenBy(m.Side)
	if best.chance-played.chance >= m.ExpectedLoss {
		return m, nil
	}
	best.Moves = m.Line
	best.Score, played.Score = plyEarlier(best.Score), plyEarlier(played.Score)
	return classify(m.Side, m.Played, best, played), nil
}

// searchInstead searches the position with a move in place of the one that was just played.
func (w *Walk) searchInstead(ctx context.Context, s engine.Searcher, l engine.Limit, mv game.Move) (found, error) {
	w.match.Undo()
	defer func() { _ = w.match.Play(w.moves[w.ply]) }() // it was legal
	if err := w.match.Play(mv); err != nil {
		return found{}, fmt.Errorf("reviewing move %d: the best move: %w", w.ply+1, err)
	}
	defer w.match.Undo()
	return w.search(ctx, s, l)
}

// plyEarlier returns the score of the position one ply before: a proved end is farther away.
func plyEarlier(score int) int {
	switch {
	case score > engine.MaxEval:
		return score - 1
	case score < -engine.MaxEval:
		return score + 1
	}
	return score
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
