package endgame

import (
	"math"
	"math/bits"

	"quintet/games/othello"
)

// oddQuadrants returns the quadrants that have an odd number of empty cells. They are the
// quarters of the board, which stand for regions.
func oddQuadrants(empty uint64) uint64 {
	const lowest, quadrant = 0x0000001100000011, 0x0f0f0f0f // the first cells of all; the first quadrant
	odd := empty ^ empty>>2
	odd ^= odd >> 1
	odd ^= odd >> 16
	odd ^= odd >> 8 // of the rows and columns of a quadrant, in its first cell
	return odd & lowest * quadrant
}

// maxMoves is more than a side can have moves on 8 by 8.
const maxMoves = 64

// candidates are the moves of a board. They are picked by their keys, which have the place in
// the lists in the low bits and above it how early to try the move: the lower, the earlier.
type candidates struct {
	after   [maxMoves]othello.Bitboards
	squares [maxMoves]int8
	keys    [maxMoves]int32
	n       int
}

const (
	placeBits = 6
	picked    = math.MaxInt32
)

// moveLoop searches moves until one reaches beta, those first after which the other side has
// few: the fastest way to an end is the smallest tree. first is the table's move plus 1, or 0.
func (s *Solver) moveLoop(w othello.Bitboards, alpha, beta, empty int, first int8) (value int, square int8) {
	moves := &s.moves[empty&63]
	moves.generate(&w, empty, first)
	if empty > fromTable {
		// Enhanced transposition cutoff: another line may have proved a move that suffices.
		for i := range moves.n {
			if old := s.get(&moves.after[i]); -int(old.high) >= beta {
				return -int(old.high), moves.squares[i]
			}
		}
	}
	best := -infinite
	for i := range moves.n {
		place := moves.pick()
		after, floor := &moves.after[place], max(alpha, best)
		var value int
		if i == 0 {
			value = -s.solve(*after, -beta, -floor)
		} else if value = -s.solve(*after, -floor-1, -floor); value > floor && value < beta {
			value = -s.solve(*after, -beta, -value)
		}
		if value > best {
			if best, square = value, moves.squares[place]; best >= beta {
				break
			}
		}
	}
	return best, square
}

// generate lists the moves of a board. first is the table's move plus 1, or 0.
func (c *candidates) generate(w *othello.Bitboards, empty int, first int8) {
	c.n = w.Children(&c.after)
	odd := oddQuadrants(w.Empty())
	for i, m := 0, w.Moves; m != 0; i, m = i+1, m&(m-1) {
		square := bits.TrailingZeros64(m)
		after := &c.after[i&(maxMoves-1)]
		var order int32
		switch {
		case int(first) == square+1:
			order = -1 << 20
		case empty >= fromOrderingSearch:
			order = 16 * int32(orderingSearch(*after, (empty-fromOrderingSearch)/4, -1<<14, 1<<14))
		default:
			order = 16*mobility(after.Moves) - 8*int32(odd>>square&1)
		}
		c.squares[i&(maxMoves-1)] = int8(square)
		c.keys[i&(maxMoves-1)] = order<<placeBits | int32(i)
	}
}

// pick returns the place of the earliest move that has not been picked.
func (c *candidates) pick() int {
	first := int32(picked)
	for _, key := range c.keys[:c.n] {
		first = min(first, key)
	}
	place := int(first & (1<<placeBits - 1))
	c.keys[place] = picked
	return place
}

// corners and their worth are where a move weighs more than others.
const corners = 0x8100000000000081

func mobility(moves uint64) int32 {
	return int32(bits.OnesCount64(moves) + bits.OnesCount64(moves&corners))
}

// orderingSearch scores a board for the side to move by a small search of mobility and corners. It
// orders moves and proves nothing.
func orderingSearch(w othello.Bitboards, depth, alpha, beta int) int {
	if w.Moves == 0 {
		other := w.Pass()
		if other.Moves == 0 {
			return 64 * Final(w)
		}
		return -orderingSearch(other, depth, -beta, -alpha)
	}
	if depth <= 0 {
		theirs := w.Pass().Moves
		held := bits.OnesCount64(w.Own&corners) - bits.OnesCount64(w.Other&corners)
		return int(4*(mobility(w.Moves)-mobility(theirs))) + 24*held
	}
	best := -1 << 15
	for m := w.Moves; m != 0; m &= m - 1 {
		value := -orderingSearch(w.Play(bits.TrailingZeros64(m)), depth-1, -beta, -max(alpha, best))
		if best = max(best, value); best >= beta {
			break
		}
	}
	return best
}
