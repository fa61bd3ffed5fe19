package review

import (
	"fmt"
	"slices"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// MaxWhy is the maximum length of what a move gave away, in bytes.
const MaxWhy = 100

// why says what a move gave away, such as "allows a win in 2 moves". rest are the moves of its turn
// from this one on, reply is the best line after them, and full is how many moves a turn has.
func (m Move) why(g game.Game, before game.Position, rest, reply []game.Move, full int) string {
	switch {
	case m.Value > engine.MaxEval:
		return "misses a win" + inTurns(engine.Won-m.Value-len(rest)+2*full, full)
	case m.After < -engine.MaxEval:
		return "allows a win" + inTurns(engine.Won+m.After-len(rest)+full, full)
	case m.After <= -engine.MaxEval:
		return "allows a decisive attack"
	case m.Value >= engine.MaxEval:
		return "misses a decisive attack"
	}
	if describe := bots.ProfileFor(g).Describe; describe != nil {
		if text := describe(bots.Slip{Before: before, Played: slices.Concat(rest, reply), Best: m.Line, Loss: m.Loss}); text != "" {
			return text
		}
	}
	return fmt.Sprintf("loses %.1f points", float64(m.Loss)/100)
}

// inTurns says in how many of its turns a side wins within a number of plies, the first of which are a
// full turn of the opponent.
func inTurns(plies, full int) string {
	turns := (plies + 2*full - 1) / (2 * full)
	switch {
	case turns <= 1:
		return " at once"
	case full > 1:
		return fmt.Sprintf(" in %d turns", turns)
	}
	return fmt.Sprintf(" in %d moves", turns)
}
