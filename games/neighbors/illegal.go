package neighbors

import (
	"fmt"

	"quintet/game"
	"quintet/game/board8"
)

// WhyIllegal implements game.Explainer.
func (p *Position) WhyIllegal(m game.Move) string {
	return board8.WhyIllegal(p, &p.Placement, sides, p.whyBlocked, m)
}

// whyBlocked returns why a piece of the side to move cannot go to a cell; "" if it can.
func (p *Position) whyBlocked(from, to int) string {
	own, other := p.Sides()
	n := neighbours(from, own|other)
	ray, straight := board8.RayBetween(from, to)
	switch {
	case n == 0:
		return fmt.Sprintf("the piece on %s has no neighbours, and cannot move", board8.Name(from))
	case !straight:
		return board8.NoLine(from, to)
	case ray.Length != n:
		return fmt.Sprintf("the piece on %s has %s, and moves exactly as many cells, not %d", board8.Name(from), board8.Number(n, "neighbour"), ray.Length)
	}
	return ""
}
