package loa

import (
	"math/bits"

	"quintet/game"
)

// Perft counts the leaves of the game tree cut at the depth, at least 1. The
// last ply is counted, not played.
func (p *Position) Perft(depth int) uint64 {
	var child Position // declared out here, it stays on the stack
	if p.GroupResult().Over() {
		return 1
	}
	own, other := p.Sides()
	if depth <= 1 {
		return uint64(max(count(own, other), 1)) // the one is a pass, or the end
	}
	var n uint64
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		for t := targets(from, own, other); t != 0; t &= t - 1 {
			child = *p
			child.Play(game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(t))))
			n += child.Perft(depth - 1)
		}
	}
	if n > 0 || !mobile(other, own) {
		return max(n, 1)
	}
	child = *p
	child.Play(game.Pass)
	return child.Perft(depth - 1)
}
