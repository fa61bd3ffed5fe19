package wire

import (
	"fmt"
	"math"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/review"
)

// Variation is a line of moves and what it is worth to the side to move.
type Variation struct {
	Score  int      `json:"score"`  // of the engine; beyond engine.MaxEval it is proved
	Proved bool     `json:"proved"` // the value is certain
	Chance float64  `json:"chance"` // winning chances, 0 to 1, with three digits
	Text   string   `json:"text"`   // the score for people
	PV     []string `json:"pv"`
	SAN    []string `json:"san"` // the same for readers
}

// MaxPV is how many moves of a line are shown.
const MaxPV = 16

// VariationOf describes a line. exact says that its score is the value of the position.
func VariationOf(g game.Game, p game.Position, l engine.Line, exact bool) Variation {
	v := Variation{Score: l.Score, Proved: exact || proved(l.Score), Chance: review.Chance(g.Name, l.Score), Text: scoreText(p, l.Score, exact)}
	if exact {
		v.Chance = review.ExactChance(l.Score)
	}
	v.Chance = math.Round(v.Chance*1000) / 1000
	at := p.Clone()
	for _, m := range l.Moves {
		v.PV, v.SAN = append(v.PV, at.Format(m)), append(v.SAN, record.SAN(at, m))
		at.Play(m)
	}
	return v
}

func proved(score int) bool { return score > engine.MaxEval || score < -engine.MaxEval }

// scoreText describes a score for people. An exact one is a margin in hundredths.
func scoreText(p game.Position, score int, exact bool) string {
	switch {
	case score > engine.MaxEval:
		return fmt.Sprintf("wins in %d", turns(p, engine.Won-score, true))
	case score < -engine.MaxEval:
		return fmt.Sprintf("loses in %d", turns(p, engine.Won+score, false))
	case exact && score == 0:
		return "solved: 0"
	case exact:
		return fmt.Sprintf("solved: %+d", score/100)
	case score == 0:
		return "0.00"
	}
	return fmt.Sprintf("%+.2f", float64(score)/100)
}

// turns returns how many turns the side that wins needs for a game of the given number of
// further plies, the last one included.
func turns(p game.Position, plies int, wins bool) int {
	at := p.Clone()
	own := playTurn(at)
	both := 2 * playTurn(at)
	rest := max(plies-own+both-1, 0) / both // turns of the winner after this one
	if wins {
		return rest + 1
	}
	return max(rest, 1)
}

// playTurn plays any moves until the other side is to move, and returns how many.
func playTurn(p game.Position) (n int) {
	for side := p.Turn(); ; {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return max(n, 1)
		}
		p.Play(moves[0])
		if n++; p.Turn() != side {
			return n
		}
	}
}

// FirstTurn returns the moves of a line that belong to the first turn. If they were not excluded
// together, the next line could be the same turn in another order.
func FirstTurn(p game.Position, line []game.Move) []game.Move {
	at := p.Clone()
	for i, m := range line {
		if at.Turn() != p.Turn() {
			return line[:i]
		}
		at.Play(m)
	}
	return line
}
