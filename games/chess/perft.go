package chess

import "math/bits"

// Perft counts the leaves of the game tree at a depth of at least 1. It counts the
// last ply without playing it, and counts each capture of a king as one leaf, because
// it ends the game.
func (p *Position) Perft(depth int) uint64 {
	if p.Result().Over() {
		return 1
	}
	return p.leaves(depth)
}

// leaves is Perft for a position with both kings.
func (p *Position) leaves(depth int) uint64 {
	if depth <= 1 {
		return uint64(max(p.shifts(), 1)) // 1 for a pass or the end of the game
	}
	var n uint64
	var child Position // declared outside the loop to stay on the stack
	own := p.pieces[p.turn&1]
	prize := p.kings &^ own
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		t := p.targets(from)
		if t&prize != 0 {
			n++
		}
		for t &^= prize; t != 0; t &= t - 1 {
			child = *p
			child.shift(from, bits.TrailingZeros64(t))
			child.turn ^= 1
			n += child.leaves(depth - 1)
		}
	}
	if n > 0 || !p.opponentMobile() {
		return max(n, 1)
	}
	child = *p
	child.turn ^= 1
	return child.leaves(depth - 1)
}
