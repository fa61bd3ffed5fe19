package chess

import (
	"math/bits"

	"quintet/game"
)

// The kinds of pieces, as in game.Piece.
const (
	King   byte = 'K'
	Queen  byte = 'Q'
	Rook   byte = 'R'
	Bishop byte = 'B'
	Knight byte = 'N'
	Pawn   byte = 'P'
)

// At returns what stands on a cell of the board.
func (p *Position) At(c game.Cell) game.Piece {
	b := bit(int(c))
	switch {
	case p.pieces[game.First]&b != 0:
		return game.Piece{Kind: p.kind(b), Side: game.First}
	case p.pieces[game.Second]&b != 0:
		return game.Piece{Kind: p.kind(b), Side: game.Second}
	}
	return game.Piece{}
}

// kind returns the kind of the piece on the one cell of b.
func (p *Position) kind(b uint64) byte {
	switch {
	case p.pawns&b != 0:
		return Pawn
	case p.knights&b != 0:
		return Knight
	case p.kings&b != 0:
		return King
	case p.diagonals&p.straights&b != 0:
		return Queen
	case p.diagonals&b != 0:
		return Bishop
	}
	return Rook
}

// Pieces returns where the pieces of a side stand, as a set of cells: bit 0 is
// cell 0, which is a8.
func (p *Position) Pieces(s game.Side) uint64 { return p.pieces[s&1] }

// Kind returns where the pieces of a kind stand, of both sides together; nowhere
// if there is no such kind.
func (p *Position) Kind(kind byte) uint64 {
	switch kind {
	case King:
		return p.kings
	case Queen:
		return p.diagonals & p.straights
	case Rook:
		return p.straights &^ p.diagonals
	case Bishop:
		return p.diagonals &^ p.straights
	case Knight:
		return p.knights
	case Pawn:
		return p.pawns
	}
	return 0
}

// Score returns the worth of the pieces that a side has left: 1000 for the king,
// 50 for a queen, 20 for a bishop, 10 for a knight, 5 for a rook, 1 for a pawn.
func (p *Position) Score(s game.Side) int {
	own := p.pieces[s&1]
	// A queen is counted with the bishops and with the rooks: 20 + 5 + 25.
	return 1000*bits.OnesCount64(p.kings&own) +
		25*bits.OnesCount64(p.diagonals&p.straights&own) +
		20*bits.OnesCount64(p.diagonals&own) +
		10*bits.OnesCount64(p.knights&own) +
		5*bits.OnesCount64(p.straights&own) +
		bits.OnesCount64(p.pawns&own)
}

// Stopped returns the result of a game that is stopped here: the higher score
// wins. After the capture of a king that is the capturer, unless the position
// was read from a text with more queens than a game can have; Result lets the
// capturer win there too.
func (p *Position) Stopped() game.Result {
	return game.ByCount(p.Score(game.First), p.Score(game.Second))
}

// set puts a piece on the one cell of b, or takes off what stands there if the
// piece is empty. It reports false if there is no such kind.
func (p *Position) set(b uint64, piece game.Piece) bool {
	q := *p
	q.lift(b)
	switch piece.Kind {
	case King:
		q.kings |= b
	case Queen:
		q.diagonals |= b
		q.straights |= b
	case Rook:
		q.straights |= b
	case Bishop:
		q.diagonals |= b
	case Knight:
		q.knights |= b
	case Pawn:
		q.pawns |= b
	case game.Empty:
		*p = q
		return true
	default:
		return false
	}
	q.pieces[piece.Side&1] |= b
	*p = q
	return true
}

// lift takes the pieces off the cells of b.
func (p *Position) lift(b uint64) {
	p.pieces[game.First] &^= b
	p.pieces[game.Second] &^= b
	p.pawns &^= b
	p.knights &^= b
	p.diagonals &^= b
	p.straights &^= b
	p.kings &^= b
}
