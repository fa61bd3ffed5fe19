// Package review finds the mistakes of a game.
//
// [Game] reviews a game; a [Walk] does so turn by turn, from the last one to the first. The value of
// a position is that of the position after the move that was played, or of a better move that
// the search confirms. So later moves count in the assessment of earlier ones, and all losses
// of one side, less those of the other, are the difference between the chances before and after the
// game. The loss of a move is the difference between the winning chances before and after it.
// [Chance] turns scores into chances, with constants for each game that are fitted to
// results of games.
package review

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

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
	Best         game.Move   // the best move; the played one unless another is confirmed to be better
	Line         []game.Move // the moves that the search expects, from Best on
	Value        int         // score of the best move
	After        int         // score of the move that was played; at most Value
	Loss         int         // Value less After
	Chance       float64     // winning chances after the move that was played, 0 to 1, with four digits
	ExpectedLoss float64     // of winning chances, 0 to 1, with four digits
	Mark         Mark
	Why          string // what a marked move gave away, such as "loses the corner a1"
}

// Exact reports whether the score of a search is the exact value of a position: the result
// of the game is certain then, whatever the margin. It may be nil.
type Exact func(p game.Position, l engine.Line) bool

// Game reviews a game with searches to the limit, and deeper ones where chances change. If the
// context ends, it returns the assessments of the last moves and an error.
func Game(ctx context.Context, s engine.Searcher, g game.Game, start game.Position, moves []game.Move, l engine.Limit, exact Exact) (list []Move, err error) {
	w, err := NewWalk(g, start, moves, nil, exact)
	for err == nil && !w.Done() {
		var turn []Move
		turn, err = w.Step(ctx, s, l)
		list = append(turn, list...)
	}
	return list, err
}

// Walk goes through the turns of a game, from the last to the first.
type Walk struct {
	match *game.Match // up to the move that is assessed next
	exact Exact
	after found // of the position that the match has reached, once begun
	begun bool
	worst float64 // the largest loss of the moves that are assessed
}

// found is what is known of a position, with the winning chances of the side to move.
type found struct {
	engine.Line
	turn   game.Side
	chance float64
}

// seenBy returns what was found from the view of a side.
func (f found) seenBy(side game.Side) found {
	if f.turn != side {
		f.turn, f.Score, f.chance = side, -f.Score, digits(1-f.chance)
	}
	return f
}

// earlier returns what was found from the view of a side that made a number of moves before it: a
// proved end is farther away.
func (f found) earlier(side game.Side, plies int) found {
	f = f.seenBy(side)
	switch {
	case f.Score > engine.MaxEval:
		f.Score -= plies
	case f.Score < -engine.MaxEval:
		f.Score += plies
	}
	return f
}

// digits rounds chances to four digits: the rest is noise, and a review continues from stored
// values with the same results.
func digits(v float64) float64 { return math.Round(v*10_000) / 10_000 }

// NewWalk returns a walk through a game of which the last moves may be known already: it
// continues before them. The error says which move is illegal.
func NewWalk(g game.Game, start game.Position, moves []game.Move, known []Move, exact Exact) (*Walk, error) {
	w := &Walk{match: game.NewMatch(g, start), exact: exact}
	for _, mv := range moves[:len(moves)-len(known)] {
		if err := w.match.Play(mv); err != nil {
			return nil, fmt.Errorf("reviewing a game: %w", err)
		}
	}
	for _, m := range known {
		w.worst = max(w.worst, m.ExpectedLoss)
	}
	if len(known) > 0 {
		m := known[0]
		w.begun = true
		w.after = found{Line: engine.Line{Score: m.Value, Moves: m.Line}, turn: m.Side, chance: digits(m.Chance + m.ExpectedLoss)}
	}
	return w, nil
}

// Done reports whether all moves are assessed.
func (w *Walk) Done() bool { return w.Ply() == 0 }

// Ply returns how many moves are still to be assessed.
func (w *Walk) Ply() int { return len(w.match.Moves()) }

// Position returns a copy of the position before the moves that are assessed.
func (w *Walk) Position() game.Position { return w.match.Position() }

// Step assesses the moves of one turn, in the order of the game; none in the first step, which
// assesses the position at the end. Searches begin with empty tables, so that the result does not depend
// on interruptions and lost engine processes. After an error it can be called again. The walk must not
// be Done.
func (w *Walk) Step(ctx context.Context, s engine.Searcher, l engine.Limit) ([]Move, error) {
	if !w.begun {
		f, err := w.search(ctx, s, l)
		w.after, w.begun = f, err == nil
		return nil, err
	}
	m := w.match.Clone()
	turn := w.undoTurn()
	best, err := w.best(ctx, s, l, turn)
	if err != nil {
		w.match = m
		return nil, err
	}
	return w.charge(turn, best), nil
}

// undoTurn takes back the last moves of one side, and returns them.
func (w *Walk) undoTurn() (turn []game.Move) {
	moves := w.match.Moves()
	w.match.Undo()
	for side := w.match.Position().Turn(); w.Ply() > 0; {
		before := w.match.Clone()
		before.Undo()
		if before.Position().Turn() != side {
			break
		}
		w.match = before
	}
	return moves[w.Ply():]
}

// charge returns the assessments of the moves of a turn, given the best turn. In a turn of several
// moves, the first one that is not in the best turn has the whole loss.
func (w *Walk) charge(turn []game.Move, best found) (list []Move) {
	blamed, better := len(turn), w.turnOf(best.Moves)
	if best.chance > w.after.seenBy(best.turn).chance {
		blamed = slices.IndexFunc(turn, func(mv game.Move) bool { return !slices.Contains(better, mv) })
	}
	line := func(begin int) []game.Move { // the best one, with moves of the turn first
		rest := slices.DeleteFunc(slices.Clone(better), func(mv game.Move) bool { return slices.Contains(turn[:begin], mv) })
		return slices.Concat(turn[:begin], rest, best.Moves[len(better):])
	}
	at := w.match.Position()
	for i, mv := range turn {
		m := Move{Side: best.turn, Played: mv}
		value, after := best.earlier(best.turn, -i), w.after.earlier(best.turn, len(turn)-i)
		switch {
		case i < blamed:
			after, m.Line = value, line(i + 1)[i:]
		case i == blamed:
			m.Line = line(i)[i:]
		default:
			value, m.Line = after, turn[i:]
		}
		m.Line = m.Line[:min(len(m.Line), MaxLine)]
		m.Best = m.Line[0]
		m.Value, m.After = max(value.Score, after.Score), after.Score
		m.Loss, m.Chance, m.ExpectedLoss = m.Value-m.After, after.chance, digits(value.chance-after.chance)
		if m.Mark = MarkOf(m.ExpectedLoss); m.Mark != Good {
			m.Why = m.why(w.match.Game(), at, turn[i:], w.after.Moves, len(turn))
		}
		w.worst = max(w.worst, m.ExpectedLoss)
		at.Play(mv)
		list = append(list, m)
	}
	w.after = best
	w.after.Moves = list[0].Line
	return list
}

// MaxLine is the maximum length of the line of a Move.
const MaxLine = 12

// margin is the smallest gain of winning chances for which other turns are searched deeper: less is
// noise.
const margin = 0.05

// alternatives is the maximum number of other turns that are searched deeper.
const alternatives = 3

// best returns the value of the position that the walk has reached, and its best turn: the one that
// was played from there, or a better one if deeper searches confirm it.
func (w *Walk) best(ctx context.Context, s engine.Searcher, l engine.Limit, turn []game.Move) (found, error) {
	played := w.after.earlier(w.match.Position().Turn(), len(turn))
	played.Moves = turn
	bound := played.chance + margin
	legal := len(w.match.Legal())
	var skip []game.Move
	for n := 0; n < alternatives && len(skip) < legal && legal > 1; n++ {
		other, err := w.search(ctx, s, l, skip...)
		if err != nil {
			return played, err
		}
		own := w.turnOf(other.Moves)
		same := sameTurn(own, turn)
		switch {
		case other.chance < bound:
			if same {
				played.Moves = other.Moves
			}
			return played, nil
		case !same:
			if other, err = w.confirm(ctx, s, l, other, len(own), bound); err != nil {
				return played, err
			}
			if other.chance >= bound {
				if other.chance-played.chance > max(w.worst, 2*margin) {
					return w.decide(ctx, s, deeper(l, decisive), played, other)
				}
				return other, nil
			}
		}
		skip = append(skip, own...)
	}
	return played, nil
}

// decide searches deeper whether another turn than the one that was played is better, and which one
// is the best: the game may have been decided here.
func (w *Walk) decide(ctx context.Context, s engine.Searcher, l engine.Limit, played, other found) (found, error) {
	turn := w.turnOf(played.Moves)
	best, err := w.search(ctx, s, l)
	if err != nil {
		return played, err
	}
	own := w.turnOf(best.Moves)
	if sameTurn(own, turn) || best.chance < other.chance {
		own = w.turnOf(other.Moves)
	}
	best, err = w.searchAfter(ctx, s, l, own)
	if err != nil || best.chance <= played.chance {
		return played, err
	}
	return best, nil
}

// turnOf returns the moves at the beginning of a line that the side to move makes.
func (w *Walk) turnOf(line []game.Move) []game.Move {
	p := w.match.Position()
	side, n := p.Turn(), 0
	for n < len(line) && p.Turn() == side && !p.Result().Over() {
		p.Play(line[n])
		n++
	}
	return line[:n]
}

// sameTurn reports whether two turns have the same moves, in any order.
func sameTurn(a, b []game.Move) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(mv game.Move) bool { return !slices.Contains(b, mv) })
}

// factors are the sizes of the searches that confirm a better turn, in multiples of the limit, until its
// value is stable. decisive is the factor before and after a turn whose loss would be the largest.
var factors = []uint64{2, 4, 8}

const decisive = 10

// MaxStep bounds the positions that a step visits, in multiples of the limit.
const MaxStep = 2*decisive + alternatives*(1+2+4+8)

// confirm searches the position after a turn of n moves deeper and deeper, until its value is stable or
// below a bound.
func (w *Walk) confirm(ctx context.Context, s engine.Searcher, l engine.Limit, other found, n int, bound float64) (found, error) {
	for _, factor := range factors {
		before := other.chance
		var err error
		if other, err = w.searchAfter(ctx, s, deeper(l, factor), other.Moves[:n]); err != nil || other.chance < bound || other.chance > before-margin/2 {
			return other, err
		}
	}
	return other, nil
}

// searchAfter searches the position after a turn, and returns what it found for the position before.
func (w *Walk) searchAfter(ctx context.Context, s engine.Searcher, l engine.Limit, turn []game.Move) (found, error) {
	side, m := w.match.Position().Turn(), w.match
	defer func() { w.match = m }()
	w.match = m.Clone()
	for _, mv := range turn {
		if err := w.match.Play(mv); err != nil {
			return found{}, fmt.Errorf("reviewing move %d: another move: %w", w.Ply()+1, err)
		}
	}
	after, err := w.search(ctx, s, l)
	f := after.earlier(side, len(turn))
	f.Moves = append(slices.Clone(turn), after.Moves...)
	return f, err
}

// deeper multiplies the positions of a limit by a factor, or else increases its depth or time to match.
func deeper(l engine.Limit, factor uint64) engine.Limit {
	switch {
	case l.Nodes > 0:
		l.Nodes *= factor
	case l.Depth > 0:
		l.Depth += bits.Len64(factor) - 1
	default:
		l.Time *= time.Duration(factor)
	}
	return l
}

// Try returns how much of the winning chances the last move of a match loses, 0 to 1, in place of a move
// whose assessment is known.
func Try(ctx context.Context, s engine.Searcher, m *game.Match, known Move, l engine.Limit, exact Exact) (loss float64, err error) {
	w := &Walk{match: m, exact: exact}
	f, err := w.search(ctx, s, deeper(l, factors[0]))
	return max(digits(known.Chance+known.ExpectedLoss-f.seenBy(known.Side).chance), 0), err
}

// search searches the position that the walk has reached, without some moves. A finished game has the
// score of its result.
func (w *Walk) search(ctx context.Context, s engine.Searcher, l engine.Limit, skip ...game.Move) (found, error) {
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
	at := engine.At(w.match)
	at.Skip = skip
	s.Reset()
	f.Line = s.Search(ctx, at, l, nil)
	err := ctx.Err()
	if err == nil {
		err = engine.SearchError(s)
	}
	if err != nil {
		return f, fmt.Errorf("reviewing move %d: %w", w.Ply()+1, err)
	}
	if w.exact != nil && w.exact(p, f.Line) {
		f.chance = ExactChance(f.Score)
	} else {
		f.chance = digits(Chance(w.match.Game().Name, f.Score))
	}
	return f, nil
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
