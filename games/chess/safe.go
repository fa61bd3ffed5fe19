package chess

import (
	"math/bits"

	"quintet/game"
)

// everywhere is the set of all cells.
const everywhere = ^uint64(0)

// SafeMoves appends the moves worth a look for who wants to win: the capture of
// the king alone if there is one, and else all moves after which the own king
// cannot be captured. If every move loses the king, or the side must pass, one
// legal move comes. So this is the choice of ordinary chess, but for two
// things: mate and stalemate alike leave a single move, which loses.
func (p *Position) SafeMoves(buf []game.Move) []game.Move { return p.safe(buf, everywhere) }

// SafeCaptures appends those of SafeMoves that capture; there may be none.
func (p *Position) SafeCaptures(buf []game.Move) []game.Move {
	return p.safe(buf, p.pieces[p.turn&1^1])
}

// safe appends the safe moves to the given cells. If there are none although
// every cell was given, it appends one legal move.
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
	if checkers&(checkers-1) == 0 { // else only the king can save itself
		buf = p.safeShifts(buf, king, to&blockingCells(king, checkers))
	}
	if len(buf) == before && to == everywhere {
		if buf = p.Moves(buf); len(buf) > before {
			buf = buf[:before+1]
		}
	}
	return buf
}

// safeSteps appends the king's moves to cells that are not attacked once it
// has left its own.
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

// safeShifts appends the moves of the other pieces to the given cells. A piece that
// stands between its king and a slider stays on that line.
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

// blockingCells returns the cells where another piece ends an attack on the king: those
// between it and the one checker, and the checker's own; all if there is none.
func blockingCells(king int, checker uint64) uint64 {
	if checker == 0 {
		return everywhere
	}
	return checker | between(king, bits.TrailingZeros64(checker))
}

// between returns the cells strictly between two on a line; none if no line
// joins them or they are neighbours.
func between(a, b int) uint64 {
	return straight[a&63].reach(bit(b))&straight[b&63].reach(bit(a))&onLine(&straight, a, b) |
		diagonal[a&63].reach(bit(b))&diagonal[b&63].reach(bit(a))&onLine(&diagonal, a, b)
}

// onLine returns everywhere if a line of the crosses joins two cells, and
// nothing if none does.
func onLine(lines *[64]cross, a, b int) uint64 {
	return -(lines[a&63].reach(0) >> (b & 63) & 1)
}

// pinned returns the pieces of the side to move that stand alone between their
// king and a slider of the opponent.
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

// snipers returns the sliders of the opponent that would attack the king's cell
// if the given pieces were the only ones on the board.
func (p *Position) snipers(king int, pieces uint64) uint64 {
	return (straight[king&63].reach(pieces)&p.straights | diagonal[king&63].reach(pieces)&p.diagonals) & p.pieces[p.turn&1^1]
}

// pinLine returns where a pinned piece may go.
func (p *Position) pinLine(king, from int) uint64 {
	for s := p.snipers(king, p.pieces[p.turn&1^1]); s != 0; s &= s - 1 {
		line := between(king, bits.TrailingZeros64(s)) | s&-s
		if line>>(from&63)&1 != 0 {
			return line
		}
	}
	return everywhere
}

// Threatened reports whether the king of the side to move is attacked: the
// opponent would capture it if the side passed.
func (p *Position) Threatened() bool {
	own, other := p.pieces[p.turn&1], p.pieces[p.turn&1^1]
	return p.Attackers(bits.TrailingZeros64(p.kings&own), own|other)&other != 0
}

// Attackers returns the pieces of both sides that attack a cell, whoever stands
// there, when all are the occupied cells.
func (p *Position) Attackers(cell int, all uint64) uint64 {
	b := bit(cell)
	white := b&^fileH<<9 | b&^fileA<<7 // where a white pawn stands that captures here
	black := b&^fileA>>9 | b&^fileH>>7
	return p.pawns&(white&p.pieces[game.First]|black&p.pieces[game.Second]) |
		knightReach[cell&63]&p.knights |
		kingReach[cell&63]&p.kings |
		diagonal[cell&63].reach(all)&p.diagonals |
		straight[cell&63].reach(all)&p.straights
}

// Reach returns the cells that a piece of a kind, not a pawn, attacks from a cell
// when all are the occupied cells; none if there is no such kind.
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
