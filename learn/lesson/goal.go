package lesson

import (
	"context"
	"strings"

	"quintet/game"
)

// matches reports whether a turn has the goal's properties other than the result.
func (c *Checker) matches(turn []game.Move) bool {
	goal, before := &c.step.Goal, c.start.Board()
	if goal.From != "" && !strings.HasPrefix(c.start.Format(turn[0]), goal.From) {
		return false
	}
	if goal.To != "" && !strings.HasSuffix(c.start.Format(turn[0]), goal.To) {
		return false
	}
	target := before.Cells[turn[0].To()]
	if goal.Captures && (turn[0] == game.Pass || target.Kind == game.Empty || target.Side == c.start.Turn()) {
		return false
	}
	return goal.Turns == 0 || c.turned(before, turn) >= goal.Turns
}

// turned counts the pieces that change sides.
func (c *Checker) turned(before game.Board, turn []game.Move) (n int) {
	for i, piece := range play(c.start, turn...).Board().Cells {
		if old := before.Cells[i]; old.Kind != game.Empty && old.Kind == piece.Kind && old.Side != piece.Side {
			n++
		}
	}
	return n
}

// brings reports whether a turn has the result of the goal.
func (c *Checker) brings(ctx context.Context, turn []game.Move) bool {
	after, lost := play(c.start, turn...), game.Win(c.start.Turn().Other())
	switch c.step.Goal.Result {
	case Wins:
		return after.Result() == game.Win(c.start.Turn())
	case Safe:
		turns, err := c.prover.WinsIn(ctx, after, 1)
		return err == nil && turns == 0 && after.Result() != lost
	case Pass:
		moves := after.Moves(nil)
		return len(moves) == 1 && moves[0] == game.Pass
	}
	return after.Result() != lost
}
