package arena

import (
	"cmp"

	"quintet/game"
)

// Adjudication ends games early. The zero value only draws games after 2000 plies.
type Adjudication struct {
	Win      Agreement `json:"win"`       // the score is at least this: the side that is ahead wins
	Draw     Agreement `json:"draw"`      // the score is at most this: a draw
	MaxPlies int       `json:"max_plies"` // draws the game after this many plies, including the opening; 0 for 2000
}

// Agreement is reached when both players have moved within the last Plies plies and
// all their scores agree. A move without a score breaks it. Plies 0 disables it.
type Agreement struct {
	Score int `json:"score"`
	Plies int `json:"plies"`
	From  int `json:"from"` // minimum number of plies, including the opening
}

func (a Adjudication) maxPlies() int { return cmp.Or(a.MaxPlies, defaultPlies) }

// result returns the result on which the players agree, or Ongoing. values are those
// of the last moves.
func (a Adjudication) result(start game.Position, moves []game.Move, values []Value) game.Result {
	win, draw := a.Win.reached(moves, values), a.Draw.reached(moves, values)
	if !win && !draw {
		return game.Ongoing
	}
	scores := firstScores(start, moves, values)
	switch {
	case draw && scores.agree(a.Draw.Plies, func(score int) bool { return max(score, -score) <= a.Draw.Score }):
		return game.Draw
	case win && scores.agree(a.Win.Plies, func(score int) bool { return score >= a.Win.Score }):
		return game.FirstWins
	case win && scores.agree(a.Win.Plies, func(score int) bool { return -score >= a.Win.Score }):
		return game.SecondWins
	}
	return game.Ongoing
}

// reached reports whether there are enough moves for an agreement.
func (a Agreement) reached(moves []game.Move, values []Value) bool {
	return a.Plies > 0 && len(values) >= a.Plies && len(moves) >= a.From
}

// sideValue is a value and the side that moved; the score is from the view of the
// first side.
type sideValue struct {
	Value
	side game.Side
}

type sideValues []sideValue

// firstScores returns the values with their sides.
func firstScores(start game.Position, moves []game.Move, values []Value) (list sideValues) {
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
		list = append(list, sideValue{v, side})
	}
	return list
}

// agree reports whether both sides moved in the last plies, and all scores are
// known and satisfy the condition.
func (s sideValues) agree(plies int, holds func(score int) bool) bool {
	var seen [2]bool
	for _, v := range s[len(s)-plies:] {
		if !v.Known || !holds(v.Score) {
			return false
		}
		seen[v.side] = true
	}
	return seen[game.First] && seen[game.Second]
}
