package loa

import (
	"fmt"
	"math/bits"

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
	ray, straight := board8.RayBetween(from, to)
	if !straight {
		return board8.NoLine(from, to)
	}
	n := bits.OnesCount64(line(from, ray.Down, ray.Right) & (own | other))
	if ray.Length != n {
		return fmt.Sprintf("%s on that line, so %s moves exactly %s, not %d", pluralPieces(n), board8.Name(from), board8.Number(n, "cell"), ray.Length)
	}
	if between := ray.Inside & other; between != 0 {
		return fmt.Sprintf("%s's piece on %s is in the way", sides[p.Turn().Other()], board8.Name(bits.TrailingZeros64(between)))
	}
	return ""
}

func pluralPieces(n int) string {
	if n == 1 {
		return "there is 1 piece"
	}
	return fmt.Sprintf("there are %d pieces", n)
}
