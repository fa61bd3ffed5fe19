package endgame

import (
	"math/bits"

	"quintet/games/othello"
)

// quadrants are the quarters of the board, which stand for regions.
var quadrants = [4]uint64{0x000000000f0f0f0f, 0x00000000f0f0f0f0, 0x0f0f0f0f00000000, 0xf0f0f0f000000000}

// oddQuadrants returns the quadrants that have an odd number of empty cells.
func oddQuadrants(empty uint64) (odd uint64) {
	for _, q := range quadrants {
		odd |= q & -(uint64(bits.OnesCount64(empty&q)) & 1)
	}
	return odd
}

// candidate is a move with the board after it, and how early to try it: the
// lower, the earlier.
type candidate struct {
	after  othello.Bitboards
	order  int32
	square int8
}

// maxMoves is how many moves a side can have on 8 by 8 at most, and some more.
const maxMoves = 40

// search tries moves, those first after which the other side has few: the
// fastest way to an end is the smallest tree. best is the table's move plus 1,
// or 0.
func (s *Solver) search(w othello.Bitboards, alpha, beta, empty int, best int8) (value int, square int8) {
	list := s.candidates(w, empty, best)
	if empty > fromTable {
		// Another line may have proved a reply that suffices.
		for i := range list {
			if old := s.get(list[i].after); -int(old.high) >= beta {
				return -int(old.high), list[i].square
			}
		}
	}
	top := -infinite
	for i := range list {
		c := pick(list, i)
		floor := max(alpha, top)
		var value int
		if i == 0 {
			value = -s.solve(c.after, -beta, -floor)
		} else if value = -s.solve(c.after, -floor-1, -floor); value > floor && value < beta {
			value = -s.solve(c.after, -beta, -value)
		}
		if value > top {
			if top, square = value, c.square; top >= beta {
				break
			}
		}
	}
	return top, square
}

// candidates returns the moves of a board, in the scratch list for its number of empty
// cells, which no board below it shares.
func (s *Solver) candidates(w othello.Bitboards, empty int, best int8) []candidate {
	n, list := 0, &s.lists[empty&63]
	odd := oddQuadrants(w.Empty())
	for m := w.Moves; m != 0 && n < maxMoves; m &= m - 1 {
		square := bits.TrailingZeros64(m)
		c := candidate{after: w.Play(square), square: int8(square)}
		switch {
		case int(best) == square+1:
			c.order = -1 << 20
		case empty >= fromGuess:
			c.order = 16 * int32(guess(c.after, (empty-fromGuess)/4, -1<<14, 1<<14))
		default:
			c.order = 16*mobility(c.after.Moves) - 8*int32(odd>>square&1)
		}
		list[n] = c
		n++
	}
	return list[:n]
}

// corners and their worth are where a move weighs more than others.
const corners = 0x8100000000000081

func mobility(moves uint64) int32 {
	return int32(bits.OnesCount64(moves) + bits.OnesCount64(moves&corners))
}

// guess scores a board for the side to move by a small search: mobility and
// corners, with a look ahead of some plies. It orders moves and proves nothing.
func guess(w othello.Bitboards, depth, alpha, beta int) int {
	if w.Moves == 0 {
		other := w.Pass()
		if other.Moves == 0 {
			return 64 * Final(w)
		}
		return -guess(other, depth, -beta, -alpha)
	}
	if depth <= 0 {
		theirs := w.Pass().Moves
		held := bits.OnesCount64(w.Own&corners) - bits.OnesCount64(w.Other&corners)
		return int(4*(mobility(w.Moves)-mobility(theirs))) + 24*held
	}
	best := -1 << 15
	for m := w.Moves; m != 0; m &= m - 1 {
		value := -guess(w.Play(bits.TrailingZeros64(m)), depth-1, -beta, -max(alpha, best))
		if best = max(best, value); best >= beta {
			break
		}
	}
	return best
}

// pick moves the earliest candidate from place i on to it.
func pick(list []candidate, i int) candidate {
	first := i
	for j := i + 1; j < len(list); j++ {
		if list[j].order < list[first].order {
			first = j
		}
	}
	list[i], list[first] = list[first], list[i]
	return list[i]
}
