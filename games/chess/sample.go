package chess

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
)

// Sample returns a uniformly random legal move; the zero Move if the game is over. It
// counts the moves and then steps to one of them kind by kind, in two thirds of the
// time of listing them.
func (p *Position) Sample(r *rand.PCG) game.Move {
	switch n := p.shifts(); {
	case p.kingless():
		return 0
	case n > 0:
		return p.nth(game.IntN(r, n))
	case p.opponentMobile():
		return game.Pass
	}
	return 0
}

// nth returns the nth move, from 0, in an internal order.
func (p *Position) nth(n int) game.Move {
	own, all := p.pieces[p.turn&1], p.pieces[0]|p.pieces[1]
	m, n := p.pawnMove(n)
	if m == 0 {
		m, n = leap(p.knights&own, own, &knightReach, n)
	}
	if m == 0 {
		m, n = slide(p.diagonals&own, own, all, &diagonal, n)
	}
	if m == 0 {
		m, n = slide(p.straights&own, own, all, &straight, n)
	}
	if m == 0 {
		m, _ = leap(p.kings&own, own, &kingReach, n)
	}
	return m
}

// pawnBack is the offset from destination to origin, by side, for each set that
// pawnMoves returns.
var pawnBack = [2][4]int{{8, 16, 9, 7}, {-8, -16, -7, -9}}

// pawnMove returns the nth pawn move, or the zero Move and n minus the number of pawn
// moves.
func (p *Position) pawnMove(n int) (game.Move, int) {
	one, two, left, right := p.pawnMoves(p.pawns & p.pieces[p.turn&1])
	for i, t := range [4]uint64{one, two, left, right} {
		c := bits.OnesCount64(t)
		if n < c {
			to := game.NthBit(t, n)
			return game.Shift(game.Cell(to+pawnBack[p.turn&1][i]), game.Cell(to)), 0
		}
		n -= c
	}
	return 0, n
}

// leap is pawnMove for leapers.
func leap(pieces, own uint64, reach *[64]uint64, n int) (game.Move, int) {
	for ; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		t := reach[from&63] &^ own
		c := bits.OnesCount64(t)
		if n < c {
			return game.Shift(game.Cell(from), game.Cell(game.NthBit(t, n))), 0
		}
		n -= c
	}
	return 0, n
}

// slide is pawnMove for sliders on the lines of the crosses.
func slide(pieces, own, all uint64, lines *[64]cross, n int) (game.Move, int) {
	for ; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		t := lines[from&63].reach(all) &^ own
		c := bits.OnesCount64(t)
		if n < c {
			return game.Shift(game.Cell(from), game.Cell(game.NthBit(t, n))), 0
		}
		n -= c
	}
	return 0, n
}
