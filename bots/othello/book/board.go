package book

import (
	"math/bits"

	"quintet/games/othello"
)

// whole is the ground of 8x8 without pits.
const whole = ^uint64(0)

// board is a position in canonical form: the least of its eight images, from the view of
// the side to move.
type board struct{ own, other uint64 }

func (b board) less(c board) bool { return b.own < c.own || b.own == c.own && b.other < c.other }

// canonical returns the canonical form of a position.
func canonical(w othello.Bitboards) board {
	at := board{w.Own, w.Other}
	best := at
	for range 2 {
		for range 2 {
			for range 2 {
				at = board{bits.ReverseBytes64(at.own), bits.ReverseBytes64(at.other)}
				if at.less(best) {
					best = at
				}
			}
			at = board{mirror(at.own), mirror(at.other)}
		}
		at = board{transpose(at.own), transpose(at.other)}
	}
	return best
}

// mirror swaps columns a and h, b and g, and so on.
func mirror(x uint64) uint64 { return bits.ReverseBytes64(bits.Reverse64(x)) }

// transpose swaps rows and columns.
func transpose(x uint64) uint64 {
	swap := func(x uint64, by uint, mask uint64) uint64 {
		d := (x ^ x>>by) & mask
		return x ^ d ^ d<<by
	}
	x = swap(x, 7, 0x00aa00aa00aa00aa)
	x = swap(x, 14, 0x0000cccc0000cccc)
	return swap(x, 28, 0x00000000f0f0f0f0)
}

// bitboards returns the board with its legal moves.
func (b board) bitboards() othello.Bitboards {
	return othello.Bitboards{Own: b.other, Other: b.own, Ground: whole}.Pass()
}

// startBoard returns the canonical form of both starts.
func startBoard() board {
	const main, anti = 1<<27 | 1<<36, 1<<28 | 1<<35
	return canonical(othello.Bitboards{Own: main, Other: anti})
}

// child is the position after a move, with the next side that can move to play.
type child struct {
	board  board
	square int
	sign   int  // of values: -1, or 1 if the opponent must pass
	over   bool // neither side can move
}

// successor returns the position after a move. A pass that is forced belongs to it.
func successor(w othello.Bitboards, square int) child {
	next := w.Play(square)
	c := child{square: square, sign: -1}
	if next.Moves == 0 {
		next, c.sign = next.Pass(), 1
		c.over = next.Moves == 0
	}
	c.board = canonical(next)
	return c
}

// children returns the positions after each legal move.
func children(b board) []child {
	w := b.bitboards()
	list := make([]child, 0, 24)
	for m := w.Moves; m != 0; m &= m - 1 {
		list = append(list, successor(w, bits.TrailingZeros64(m)))
	}
	return list
}
