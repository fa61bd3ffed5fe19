package neighbors

import (
	"math/bits"

	"quintet/game"
	"quintet/game/board8"
)

// Perft counts the leaves of the game tree at a depth of at least 1. It counts the
// last two plies together without playing them.
func (p *Position) Perft(depth int) uint64 {
	var child Position // declared outside the loop to stay on the stack
	own, other := p.Sides()
	switch {
	case p.Result().Over():
		return 1
	case depth <= 1:
		return uint64(p.Count())
	case !mobile(own, other):
		child = *p
		child.Play(game.Pass)
		return child.Perft(depth - 1)
	case depth == 2:
		return uint64(replies(own, other))
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
	return n
}

// replies returns the total number of replies to all moves. A move that ends the game
// or forces a pass counts one.
func replies(own, other uint64) (n int) {
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		targets := Targets(from, own, other)
		if targets == 0 {
			continue
		}
		rest := own &^ (pieces & -pieces)
		lifted := count(other, rest|other) // with the moving piece removed
		for ; targets != 0; targets &= targets - 1 {
			to := targets & -targets
			switch left := other &^ to; {
			case board8.Group(to, rest|to) == rest|to || left != other && board8.Connected(left):
				n++
			case left != other:
				n += max(count(left, rest|other), 1)
			default:
				n += max(lifted+gain(bits.TrailingZeros64(to), other, rest|other), 1)
			}
		}
	}
	return n
}

// count returns the number of moves that the pieces of a side have.
//
// It is not inlined, because the calling loops have no registers left.
//
//go:noinline
func count(own, all uint64) (n int) {
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		c := bits.TrailingZeros64(pieces)
		n += bits.OnesCount64(reach[c][neighbours(c, all)] &^ own)
	}
	return n
}

// gain returns how many moves a side gains when a piece appears on an empty cell:
// adjacent pieces move one cell further.
func gain(cell int, own, all uint64) (n int) {
	for pieces := adjacent[cell] & own; pieces != 0; pieces &= pieces - 1 {
		c := bits.TrailingZeros64(pieces)
		k := neighbours(c, all)
		n += bits.OnesCount64(reach[c][k+1]&^own) - bits.OnesCount64(reach[c][k]&^own)
	}
	return n
}
