package chess

import (
	"math/bits"

	"quintet/game"
)

// Moves appends the legal moves, ordered by origin and then by destination, both from
// a8 along the ranks to h1. A move may leave the own king attacked.
func (p *Position) Moves(buf []game.Move) []game.Move {
	if p.kingless() {
		return buf
	}
	before := len(buf)
	for pieces := p.pieces[p.turn&1]; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		for t := p.targets(from); t != 0; t &= t - 1 {
			buf = append(buf, game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(t))))
		}
	}
	if len(buf) == before && p.opponentMobile() {
		buf = append(buf, game.Pass)
	}
	return buf
}

// Count returns the number of legal moves.
func (p *Position) Count() int {
	if p.kingless() {
		return 0
	}
	n := p.shifts()
	if n == 0 && p.opponentMobile() {
		return 1
	}
	return n
}

// shifts counts the moves of the side to move without passes. The side must have a
// king.
func (p *Position) shifts() int {
	own, all := p.pieces[p.turn&1], p.pieces[0]|p.pieces[1]
	one, two, left, right := p.pawnMoves(p.pawns & own)
	// Only captures to the left and to the right can share a target.
	n := bits.OnesCount64(one|two|left) + bits.OnesCount64(right)
	for m := p.knights & own; m != 0; m &= m - 1 {
		n += bits.OnesCount64(knightReach[bits.TrailingZeros64(m)&63] &^ own)
	}
	for m := p.diagonals & own; m != 0; m &= m - 1 {
		n += bits.OnesCount64(diagonal[bits.TrailingZeros64(m)&63].reach(all) &^ own)
	}
	for m := p.straights & own; m != 0; m &= m - 1 {
		n += bits.OnesCount64(straight[bits.TrailingZeros64(m)&63].reach(all) &^ own)
	}
	return n + bits.OnesCount64(kingReach[bits.TrailingZeros64(p.kings&own)&63]&^own)
}

// targets returns the target cells of a piece of the side to move.
func (p *Position) targets(from int) uint64 {
	own, all := p.pieces[p.turn&1], p.pieces[0]|p.pieces[1]
	b := bit(from)
	switch {
	case p.pawns&b != 0:
		one, two, left, right := p.pawnMoves(b)
		return one | two | left | right
	case p.knights&b != 0:
		return knightReach[from&63] &^ own
	case p.kings&b != 0:
		return kingReach[from&63] &^ own
	}
	var t uint64
	if p.diagonals&b != 0 {
		t = diagonal[from&63].reach(all)
	}
	if p.straights&b != 0 {
		t |= straight[from&63].reach(all)
	}
	return t &^ own
}

// pawnMoves returns the targets of the given pawns of the side to move: by one step,
// by two, and by captures towards file a and file h.
//
// Only an unmoved pawn may take two steps, that is, a pawn on its home rank: pawns
// never move back, and every move leaves the rank. So a second step starts from the
// rank after the home rank.
func (p *Position) pawnMoves(pawns uint64) (one, two, left, right uint64) {
	all := p.pieces[0] | p.pieces[1]
	if p.turn == game.First {
		one = pawns >> 8 &^ all
		two = one & rank3 >> 8 &^ all
		black := p.pieces[game.Second]
		return one, two, pawns &^ fileA >> 9 & black, pawns &^ fileH >> 7 & black
	}
	one = pawns << 8 &^ all
	two = one & rank6 << 8 &^ all
	white := p.pieces[game.First]
	return one, two, pawns &^ fileA << 7 & white, pawns &^ fileH << 9 & white
}

// mobile reports whether the side to move has a move other than a pass.
func (p *Position) mobile() bool {
	own := p.pieces[p.turn&1]
	if one, _, left, right := p.pawnMoves(p.pawns & own); one|left|right != 0 {
		return true
	}
	for m := own &^ p.pawns; m != 0; m &= m - 1 {
		if p.targets(bits.TrailingZeros64(m)) != 0 {
			return true
		}
	}
	return false
}

// opponentMobile reports whether the opponent would have a move.
func (p *Position) opponentMobile() bool {
	q := *p
	q.turn = q.turn.Other()
	return q.mobile()
}
