package wire

import (
	"quintet/game"
	"quintet/review"
)

// Ply is a move and its assessment. Scores are from the view of the side that moved; those
// beyond 20,000 are proved: 30,000 less the plies to the end.
type Ply struct {
	Ply       int      `json:"ply"` // from 1
	Side      string   `json:"side"`
	Move      string   `json:"move"`
	Score     int      `json:"score"`      // after the move
	BestScore int      `json:"best_score"` // after the best move
	Best      string   `json:"best"`
	PV        []string `json:"pv"`        // the line that begins with the best move
	Loss      float64  `json:"loss"`      // of winning chances, 0 to 1
	Judgement string   `json:"judgement"` // "", "?!", "?" or "??"
	Why       string   `json:"why"`       // what a marked move gave away, such as "loses the corner a1"
	Lead      float64  `json:"lead"`      // winning chances of the first side after the move, 0 to 1
}

// PliesOf converts the assessments of a turn, from which a walk goes on.
func PliesOf(w *review.Walk, turn []review.Move) (list []Ply) {
	at := w.Position()
	for i, m := range turn {
		p := Ply{
			Ply: w.Ply() + i + 1, Side: m.Side.String(), Move: at.Format(m.Played), Score: m.After, BestScore: m.Value, Best: at.Format(m.Best),
			PV: []string{}, Loss: m.ExpectedLoss, Judgement: string(m.Mark), Why: m.Why, Lead: m.Lead(),
		}
		line := at.Clone()
		for _, mv := range m.Line {
			p.PV = append(p.PV, line.Format(mv))
			line.Play(mv)
		}
		list = append(list, p)
		at.Play(m.Played)
	}
	return list
}

// Assessment returns the assessment of a ply, without its moves.
func (p Ply) Assessment() review.Move {
	m := review.Move{Value: p.BestScore, After: p.Score, Chance: p.Lead, ExpectedLoss: p.Loss, Mark: review.Mark(p.Judgement)}
	if p.Side == game.Second.String() {
		m.Side = game.Second
	}
	m.Chance = m.Lead() // from the view of the side
	return m
}

// SumOf returns the accuracy of each side in the last plies of a game, and, once all are assessed, the ply
// of the move that decided the game; 0 if there is none.
func SumOf(name string, plies []Ply, done bool) (accuracy Both[float64], turning int) {
	list := make([]review.Move, len(plies))
	for i, p := range plies {
		list[i] = p.Assessment()
	}
	if i, ok := review.TurningPoint(list); ok && done {
		turning = i + 1
	}
	return BothOf(review.Accuracy(name, list)), turning
}

// Trial is the assessment of an alternative to the move that was played.
type Trial struct {
	Move     string      `json:"move"`
	Loss     float64     `json:"loss"` // of winning chances, 0 to 1
	Mark     review.Mark `json:"judgement"`
	Accepted bool        `json:"accepted"` // the loss is small enough for a solution
}

// Assess sets what follows from a loss.
func (t *Trial) Assess(loss float64) {
	t.Loss, t.Mark, t.Accepted = loss, review.MarkOf(loss), loss <= review.AcceptedLoss
}
