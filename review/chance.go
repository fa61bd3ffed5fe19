package review

import (
	"cmp"
	"math"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// Nodes returns how many positions of a game the search for one ply of a review visits: what
// takes it some 10 ms.
func Nodes(of string) uint64 { return cmp.Or(bots.ProfileFor(game.Game{Name: of}).ReviewNodes, 5_000) }

// defaultScale is the scale of games without one of their own.
const defaultScale = 400

// Chance returns the winning chances at a score in a game, 0 to 1: the expected result,
// where a draw is half a win. Proved scores are 0 or 1.
func Chance(of string, score int) float64 {
	switch {
	case score > engine.MaxEval:
		return 1
	case score < -engine.MaxEval:
		return 0
	}
	p := bots.ProfileFor(game.Game{Name: of})
	most := cmp.Or(p.MostScore, engine.MaxEval)
	points := min(max(float64(score), -most), most) - p.MoveScore
	if p.Saturation > 0 {
		points = math.Copysign(p.Saturation*math.Log1p(math.Abs(points)/p.Saturation), points)
	}
	return 1 / (1 + math.Exp(-points*math.Ln10/cmp.Or(p.Scale, defaultScale)))
}

// ExactChance returns the winning chances at an exact score: a draw is half a win.
func ExactChance(score int) float64 {
	switch {
	case score > 0:
		return 1
	case score < 0:
		return 0
	}
	return 0.5
}

// AcceptedLoss is the largest loss of winning chances at which another move than the best
// one counts as a solution, when a player retries a mistake.
const AcceptedLoss = 0.03

// defaultRandomLoss is the mean loss of random moves in games whose profile has no RandomLoss.
const defaultRandomLoss = 0.15

// steepness is how fast accuracy falls as a move loses more. A move that loses as much as the average
// random move has 16.
const steepness = 1.35

// Accuracy returns how well each side played a game, 0 to 100: the weighted mean accuracy of its moves. A
// move that loses nothing has 100. The figure falls exponentially with the square of the loss, measured
// in units of the mean loss of random moves in that game. A move's weight is how open the result was, or
// its loss if that is more. So moves in won and lost positions do not raise the mean. A side whose moves
// all have weight 0 has 100.
func Accuracy(of string, list []Move) (accuracy [2]float64) {
	unit := cmp.Or(bots.ProfileFor(game.Game{Name: of}).RandomLoss, defaultRandomLoss)
	var sum, weights [2]float64
	for _, m := range list {
		before := m.Chance + m.ExpectedLoss
		weight := max(4*before*(1-before), m.ExpectedLoss)
		loss := steepness * m.ExpectedLoss / unit
		sum[m.Side] += weight * 100 * math.Exp(-loss*loss)
		weights[m.Side] += weight
	}
	for s := range accuracy {
		accuracy[s] = 100
		if weights[s] > 0 {
			accuracy[s] = sum[s] / weights[s]
		}
	}
	return accuracy
}

// TurningPoint returns the index of the move that decided a game: the loser's largest loss since it last
// had even chances. In a game that ends even it is the largest loss of all. Of equal ones it is the last;
// ok is false if none of them has a mark.
func TurningPoint(list []Move) (index int, ok bool) {
	if len(list) == 0 {
		return 0, false
	}
	end := list[len(list)-1].Lead()
	for i, m := range list {
		before := m.Chance + m.ExpectedLoss
		loses := end < 0.5 == (m.Side == game.First)
		if end != 0.5 && loses == (before >= 0.5) {
			ok = false // even, or better for the loser
		}
		if m.Mark != Good && (loses || end == 0.5) && (!ok || m.ExpectedLoss >= list[index].ExpectedLoss) {
			index, ok = i, true
		}
	}
	return index, ok
}

// Lead returns the winning chances of the first side after a move, 0 to 1.
func (m Move) Lead() float64 {
	if m.Side == game.Second {
		return digits(1 - m.Chance)
	}
	return m.Chance
}

// Scores returns the score of each position that a review assessed, from the view of the first side:
// before the first assessed move, then after each.
func Scores(list []Move) (scores []int) {
	for i, m := range list {
		value, after := m.Value, m.After
		if m.Side == game.Second {
			value, after = -value, -after
		}
		if i == 0 {
			scores = append(scores, value)
		}
		scores = append(scores, after)
	}
	return scores
}
