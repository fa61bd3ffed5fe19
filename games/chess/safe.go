package chess

import (
	"math/bits"

	"quintet/game"
)

// everywhere is the set of all cells.
const everywhere = ^uint64(0)

// SafeMoves appends the moves that an engine needs to search: only the capture of the
// king if possible, else all moves after which the own king cannot be captured. If
// there are none, or the side must pass, it appends one legal move. These are the
// moves of ordinary chess, except that checkmate and stalemate leave a single, losing
// move.
func (p *Position) SafeMoves(buf []game.Move) []game.Move { return p.safe(buf, everywhere) }

// SafeCaptures appends the captures among SafeMoves; there may be none.
func (p *Position) SafeCaptures(buf []game.Move) []game.Move {
	return p.safe(buf, p.pieces[p.turn&1^1])
}

// safe appends the safe moves to the given cells. If to is everywhere and there are
// none, it appends one legal move.
func (p *Position) safe(buf []game.Move, to uint64) []game.Move {
	if p.kingless() {
		return buf
	}
	own, other := p.pieces[p.turn&1], p.pieces[p.turn&1^1]
	prize := bits.TrailingZeros64(p.kings & other)
	if takers := p.Attackers(prize, own|other) & own; takers != 0 {
		return append(buf, game.Shift(game.Cell(bits.TrailingZeros64(takers)), game.Cell(prize)))
	}
	before := len(buf)
	king := bits.TrailingZeros64(p.kings & own)
	buf = p.safeSteps(buf, king, to)
	checkers := p.Attackers(king, own|other) & other
	if checkers&(checkers-1) == 0 { // in double check only the king can move
		buf = p.safeShifts(buf, king, to&blockingCells(king, checkers))
	}
	if len(buf) == before && to == everywhere {
		if buf = p.Moves(buf); len(buf) > before {
			buf = buf[:before+1]
		}
	}
	return buf
}

// safeSteps appends the king's moves to cells that are not attacked after it has left
// its cell.
func (p *Position) safeSteps(buf []game.Move, king int, to uint64) []game.Move {
	own, other := p.pieces[p.turn&1], p.pieces[p.turn&1^1]
	without := (own | other) &^ bit(king)
	for t := kingReach[king&63] &^ own & to; t != 0; t &= t - 1 {
		cell := bits.TrailingZeros64(t)
		if p.Attackers(cell, without)&other&^bit(cell) == 0 {
			buf = append(buf, game.Shift(game.Cell(king), game.Cell(cell)))
		}
	}
	return buf
}

// safeShifts appends the moves of the other pieces to the given cells. A pinned piece
// stays on the line of the pin.
func (p *Position) safeShifts(buf []game.Move, king int, to uint64) []game.Move {
	own := p.pieces[p.turn&1]
	pinned := p.pinned(king)
	for pieces := own &^ bit(king); pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		t := p.targets(from) & to
		if pinned>>(from&63)&1 != 0 && t != 0 {
			t &= p.pinLine(king, from)
		}
		for ; t != 0; t &= t - 1 {
			buf = append(buf, game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(t))))
		}
	}
	return buf
}

// blockingCells returns the cells where another piece ends a check: those between the
// king and the single checker, and the checker's cell; all cells if there is no
// checker.
func blockingCells(king int, checker uint64) uint64 {
	if checker == 0 {
		return everywhere
	}
	return checker | between(king, bits.TrailingZeros64(checker))
}

// between returns the cells strictly between two on a line; none if they are adjacent
// or not on a line.
func between(a, b int) uint64 {
	return straight[a&63].reach(bit(b))&straight[b&63].reach(bit(a))&onLine(&straight, a, b) |
		diagonal[a&63].reach(bit(b))&diagonal[b&63].reach(bit(a))&onLine(&diagonal, a, b)
}

// onLine returns everywhere if a line of the crosses joins two cells, else the empty
// set.
func onLine(lines *[64]cross, a, b int) uint64 {
	return -(lines[a&63].reach(0) >> (b & 63) & 1)
}

// pinned returns the pinned pieces of the side to move.
func (p *Position) pinned(king int) (pinned uint64) {
	own, other := p.pieces[p.turn&1], p.pieces[p.turn&1^1]
	for s := p.snipers(king, other); s != 0; s &= s - 1 {
		b := between(king, bits.TrailingZeros64(s)) & own
		if b != 0 && b&(b-1) == 0 {
			pinned |= b
		}
	}
	return pinned
}

// snipers returns the opponent's sliders that would attack the king if only the given
// pieces blocked lines.
func (p *Position) snipers(king int, pieces uint64) uint64 {
	return (straight[king&63].reach(pieces)&p.straights | diagonal[king&63].reach(pieces)&p.diagonals) & p.pieces[p.turn&1^1]
}

// pinLine returns the cells to which a pinned piece may move.
func (p *Position) pinLine(king, from int) uint64 {
	for s := p.snipers(king, p.pieces[p.turn&1^1]); s != 0; s &= s - 1 {
		line := between(king, bits.TrailingZeros64(s)) | s&-s
		if line>>(from&63)&1 != 0 {
			return line
		}
	}
	return everywhere
}

// Threatened reports whether the king of the side to move is in check.
func (p *Position) Threatened() bool {
	own, other := p.pieces[p.turn&1], p.pieces[p.turn&1^1]
	return p.Attackers(bits.TrailingZeros64(p.kings&own), own|other)&other != 0
}

// Threatens reports whether the opponent's king is in check after a move of Moves that
// does not capture it.
func (p *Position) Threatens(m game.Move) bool {
	origin, ok := m.From()
	if !ok {
		return false
	}
	from, to := int(origin), int(m.To())
	king := bits.TrailingZeros64(p.kings & p.pieces[p.turn&1^1])
	own := p.pieces[p.turn&1]&^bit(from) | bit(to)
	all := own | p.pieces[p.turn&1^1]
	moved := func(set uint64) uint64 { return (set&^bit(to) | carryBit(set, from, to)) & own }
	return moved(p.pawns)&pawnOrigins(king, p.turn) != 0 ||
		moved(p.knights)&knightReach[king&63] != 0 ||
		moved(p.kings)&kingReach[king&63] != 0 ||
		moved(p.diagonals)&diagonal[king&63].reach(all) != 0 ||
		moved(p.straights)&straight[king&63].reach(all) != 0
}

// pawnOrigins returns the cells from which pawns of a side attack a cell.
func pawnOrigins(cell int, s game.Side) uint64 {
	b := bit(cell)
	if s == game.First {
		return b&^fileH<<9 | b&^fileA<<7
	}
	return b&^fileA>>9 | b&^fileH>>7
}

// Attackers returns the pieces of both sides that attack a cell, given the set of
// occupied cells.
func (p *Position) Attackers(cell int, all uint64) uint64 {
	white, black := pawnOrigins(cell, game.First), pawnOrigins(cell, game.Second)
	return p.pawns&(white&p.pieces[game.First]|black&p.pieces[game.Second]) |
		knightReach[cell&63]&p.knights |
		kingReach[cell&63]&p.kings |
		diagonal[cell&63].reach(all)&p.diagonals |
		straight[cell&63].reach(all)&p.straights
}

// Reach returns the cells that a piece attacks from a cell, given the set of occupied
// cells; none for a pawn or an unknown kind.
func Reach(kind byte, cell int, all uint64) uint64 {
	switch kind {
	case King:
		return kingReach[cell&63]
	case Queen:
		return diagonal[cell&63].reach(all) | straight[cell&63].reach(all)
	case Rook:
		return straight[cell&63].reach(all)
	case Bishop:
		return diagonal[cell&63].reach(all)
	case Knight:
		return knightReach[cell&63]
	}
	return 0
}
