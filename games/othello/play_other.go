//go:build !amd64

package othello

// play returns the discs that an own disc on a square flips, and the opponent's legal
// replies.
func play(own, other, ground uint64, square int) (flips, next uint64) {
	return playPlain(own, other, ground, square)
}

// replies returns the legal moves of the side own.
func replies(own, other, ground uint64) uint64 { return repliesPlain(own, other, ground) }

// Flips returns the discs that an own disc on an empty square flips.
func Flips(own, other uint64, square int) uint64 { return flipped(own, other, &rays[square&63]) }

// pairs returns the number of pairs of a move and a reply; see pairsPlain.
func pairs(own, other, ground, moves uint64) uint64 {
	return pairsPlain(own, other, ground, moves)
}

// children sets out to the boards after each move; see childrenPlain.
func children(own, other, ground, moves uint64, out *[64]Bitboards) {
	childrenPlain(own, other, ground, moves, out)
}
