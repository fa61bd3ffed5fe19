package endgame

import (
	"math/bits"

	"quintet/games/othello"
)

// around lists, for each square, those next to it: without a disc of the other
// side among them, a disc turns nothing over.
var around = makeAround()

func makeAround() (near [64]uint64) {
	const right, left = 0xfefefefefefefefe, 0x7f7f7f7f7f7f7f7f
	for s := range near {
		bit := uint64(1) << s
		row := bit | bit<<1&right | bit>>1&left
		near[s] = (row | row<<8 | row>>8) &^ bit
	}
	return near
}

// tailPlain returns the value of a board with at most six empty cells. So close to the end
// it does not pay to know where the moves are before they are tried. Those in odd quadrants
// go first, because the side that moves first in such a quadrant also moves last there. It is
// the portable version and the test oracle of the assembly.
func (s *Solver) tailPlain(own, other, empty, odd uint64, alpha, beta int, passed bool) int {
	if rest := empty & (empty - 1); rest&(rest-1) == 0 {
		return s.lastTwo(own, other, empty, passed)
	}
	s.nodes++
	best := -infinite
	for _, half := range [2]uint64{empty & odd, empty &^ odd} {
		for ; half != 0; half &= half - 1 {
			square := bits.TrailingZeros64(half)
			if around[square&63]&other == 0 {
				continue
			}
			flips := othello.Flips(own, other, square)
			if flips == 0 {
				continue
			}
			bit := half & -half
			value := -s.tailPlain(other^flips, own|flips|bit, empty&^bit, odd^quadrantOf(square), -beta, -max(alpha, best), false)
			if value > best {
				if best = value; best >= beta {
					return best
				}
			}
		}
	}
	switch {
	case best > -infinite:
		return best
	case passed:
		return settled(own, other, empty)
	}
	return -s.tailPlain(other, own, empty, odd, -beta, -alpha, true)
}

// lastTwo returns the value of a board with one or two empty cells. It tries all moves: a
// branch that the processor predicts wrongly takes longer than the second move.
func (s *Solver) lastTwo(own, other, empty uint64, passed bool) int {
	s.nodes++
	best := -infinite
	for left := empty; left != 0; left &= left - 1 {
		square, bit := bits.TrailingZeros64(left), left&-left
		if flips := othello.Flips(own, other, square); flips != 0 {
			best = max(best, -s.last(other^flips, own|flips|bit, empty&^bit))
		}
	}
	switch {
	case best > -infinite:
		return best
	case passed:
		return settled(own, other, empty)
	}
	return -s.lastTwo(other, own, empty, true)
}

// last returns the value of a board with at most one empty cell.
func (s *Solver) last(own, other, empty uint64) int {
	s.nodes++
	margin := bits.OnesCount64(own) - bits.OnesCount64(other)
	if empty == 0 {
		return margin
	}
	square := bits.TrailingZeros64(empty)
	if flips := othello.Flips(own, other, square); flips != 0 {
		return margin + 2*bits.OnesCount64(flips) + 1
	}
	if flips := othello.Flips(other, own, square); flips != 0 {
		return margin - 2*bits.OnesCount64(flips) - 1
	}
	return settled(own, other, empty)
}

// settled returns the value of a board on which neither side can move: cells that are
// left empty count for the winner.
func settled(own, other, empty uint64) int {
	margin, left := bits.OnesCount64(own)-bits.OnesCount64(other), bits.OnesCount64(empty)
	switch {
	case margin > 0:
		return margin + left
	case margin < 0:
		return margin - left
	}
	return 0
}

// quadrantOf returns the quadrant of a square.
func quadrantOf(square int) uint64 { return oddQuadrants(1 << square) }
