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

// result returns the result on which the players agree after so many plies, or Ongoing.
func (a Adjudication) result(plies int, scores []sideValue) game.Result {
	switch {
	case a.Draw.reached(plies, scores, func(score int) bool { return max(score, -score) <= a.Draw.Score }):
		return game.Draw
	case a.Win.reached(plies, scores, func(score int) bool { return score >= a.Win.Score }):
		return game.FirstWins
	case a.Win.reached(plies, scores, func(score int) bool { return -score >= a.Win.Score }):
		return game.SecondWins
	}
	return game.Ongoing
}

// sideValue is a value and the side that moved; the score is from the view of the
// first side.
type sideValue struct {
	Value
	side game.Side
}

// reached reports whether there are enough moves for an agreement, the last of them are moves
// of both sides, and all their scores are known and satisfy the condition.
func (a Agreement) reached(plies int, scores []sideValue, holds func(score int) bool) bool {
	if a.Plies <= 0 || len(scores) < a.Plies || plies < a.From {
		return false
	}
	var seen [2]bool
	for _, v := range scores[len(scores)-a.Plies:] {
		if !v.Known || !holds(v.Score) {
			return false
		}
		seen[v.side] = true
	}
	return seen[game.First] && seen[game.Second]
}
