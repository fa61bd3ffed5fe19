//go:build !amd64

package othello

// play returns the discs that a disc of own on a square turns over, and where
// the other side can then put one.
func play(own, other, ground uint64, square int) (flips, next uint64) {
	return playPlain(own, other, ground, square)
}

// Flips returns the discs that a disc of own on an empty square turns over.
func Flips(own, other uint64, square int) uint64 { return flipped(own, other, &rays[square&63]) }

// pairs returns how many pairs of one of the moves and a reply to it there
// are; see pairsPlain.
func pairs(own, other, ground, moves uint64) uint64 {
	return pairsPlain(own, other, ground, moves)
}
