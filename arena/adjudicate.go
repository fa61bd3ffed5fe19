package arena

import (
	"cmp"

	"quintet/game"
)

// Adjudication says when a game ends before the rules end it. The zero value is
// never, but at 2000 plies.
type Adjudication struct {
	Win      Agreement `json:"win"`       // by at least the score: a win for the side that is ahead
	Draw     Agreement `json:"draw"`      // by at most the score: a draw
	MaxPlies int       `json:"max_plies"` // a draw at so many plies, the opening included; 0 for 2000
}

// Agreement is when the players count as being of one mind: both have moved
// within the last so many plies, and every score of these says the same. A move
// without a score is no agreement. It is off if Plies is 0.
type Agreement struct {
	Score int `json:"score"`
	Plies int `json:"plies"`
	From  int `json:"from"` // not before so many plies, the opening included
}

func (a Adjudication) maxPlies() int { return cmp.Or(a.MaxPlies, defaultPlies) }

// result returns the result on which the players agree, or Ongoing. The values
// are those of the last moves.
func (a Adjudication) result(start game.Position, moves []game.Move, values []Value) game.Result {
	if !a.Win.due(moves, values) && !a.Draw.due(moves, values) {
		return game.Ongoing
	}
	scores := firstScores(start, moves, values)
	if a.Draw.due(moves, values) && scores.within(a.Draw) {
		return game.Draw
	}
	for _, side := range []game.Side{game.First, game.Second} {
		if a.Win.due(moves, values) && scores.ahead(a.Win, side) {
			return game.Win(side)
		}
	}
	return game.Ongoing
}

// due reports whether there are enough moves for an agreement.
func (a Agreement) due(moves []game.Move, values []Value) bool {
	return a.Plies > 0 && len(values) >= a.Plies && len(moves) >= a.From
}

// sided is a value and whose it is; the score is from the view of the first
// side.
type sided struct {
	Value
	side game.Side
}

type sidedValues []sided

// firstScores returns the values with their sides.
func firstScores(start game.Position, moves []game.Move, values []Value) (list sidedValues) {
	p, opening := start.Clone(), len(moves)-len(values)
	for i, mv := range moves {
		side := p.Turn()
		p.Play(mv)
		if i < opening {
			continue
		}
		v := values[i-opening]
		if side == game.Second {
			v.Score = -v.Score
		}
		list = append(list, sided{v, side})
	}
	return list
}

// agree reports whether both sides are among the last plies, and all of these
// are known and fulfil a condition.
func (s sidedValues) agree(plies int, holds func(score int) bool) bool {
	var seen [2]bool
	for _, v := range s[len(s)-plies:] {
		if !v.Known || !holds(v.Score) {
			return false
		}
		seen[v.side] = true
	}
	return seen[game.First] && seen[game.Second]
}

func (s sidedValues) within(a Agreement) bool {
	return s.agree(a.Plies, func(score int) bool { return -a.Score <= score && score <= a.Score })
}

func (s sidedValues) ahead(a Agreement, side game.Side) bool {
	return s.agree(a.Plies, func(score int) bool {
		if side == game.Second {
			score = -score
		}
		return score >= a.Score
	})
}
