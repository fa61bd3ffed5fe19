package chess

import "math/bits"

// Perft counts the leaves of the game tree cut at the depth, at least 1. The
// last ply is counted, not played, and so are captures of a king: the game is
// over there, which makes one leaf of each.
func (p *Position) Perft(depth int) uint64 {
	if p.Result().Over() {
		return 1
	}
	return p.leaves(depth)
}

// leaves is Perft of a position in which both sides have a king.
func (p *Position) leaves(depth int) uint64 {
	if depth <= 1 {
		return uint64(max(p.shifts(), 1)) // the one is a pass, or the end
	}
	var n uint64
	var child Position // declared out here, it stays on the stack
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
