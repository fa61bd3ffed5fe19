package loa

import (
	"math/bits"

	"quintet/game"
)

// Perft counts the leaves of the game tree at a depth of at least 1. It counts the
// last ply without playing it.
func (p *Position) Perft(depth int) uint64 {
	var child Position // declared outside the loop to stay on the stack
	if p.GroupResult().Over() {
		return 1
	}
	own, other := p.Sides()
	if depth <= 1 {
		return uint64(max(count(own, other), 1)) // 1 for a pass or the end of the game
	}
	var n uint64
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		for t := Targets(from, own, other); t != 0; t &= t - 1 {
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
