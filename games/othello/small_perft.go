package othello

import "math/bits"

// Perft counts the leaves of the game tree at a depth of at least 1. It counts the
// last two plies with code that keeps the board in registers.
func (p *Small) Perft(depth int) uint64 {
	return leaves(p.own, p.other, p.ground, p.moves, max(depth, 1))
}

// leaves is Perft for a board, given the legal moves.
func leaves(own, other, ground, moves uint64, depth int) (n uint64) {
	switch {
	case moves == 0:
		return leavesAfterPass(own, other, ground, depth)
	case depth == 1:
		return uint64(bits.OnesCount64(moves))
	case depth == 2:
		return pairs(own, other, ground, moves)
	}
	for ; moves != 0; moves &= moves - 1 {
		square := bits.TrailingZeros64(moves)
		flips, next := play(own, other, ground, square)
		n += leaves(other^flips, own|flips|moves&-moves, ground, next, depth-1)
	}
	return n
}

func leavesAfterPass(own, other, ground uint64, depth int) uint64 {
	moves := replies(other, own, ground)
	if depth == 1 || moves == 0 {
		return 1 // a pass or the end of the game
	}
	return leaves(other, own, ground, moves, depth-1)
}
