package chess

import (
	"math/bits"

	"quintet/game"
)

// The values of game.Piece.Kind.
const (
	King   byte = 'K'
	Queen  byte = 'Q'
	Rook   byte = 'R'
	Bishop byte = 'B'
	Knight byte = 'N'
	Pawn   byte = 'P'
)

// At returns the piece on a cell.
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

// kind returns the kind of the piece on the single cell of b.
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

// Pieces returns the bitboard of a side's pieces; bit 0 is a8.
func (p *Position) Pieces(s game.Side) uint64 { return p.pieces[s&1] }

// Kind returns the bitboard of a kind of both sides; empty for an unknown kind.
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

// Score returns the value of a side's pieces: 1000 for the king, 50 for a queen, 20
// for a bishop, 10 for a knight, 5 for a rook, 1 for a pawn.
func (p *Position) Score(s game.Side) int {
	own := p.pieces[s&1]
	// A queen counts as a bishop and a rook as well: 20 + 5 + 25.
	return 1000*bits.OnesCount64(p.kings&own) +
		25*bits.OnesCount64(p.diagonals&p.straights&own) +
		20*bits.OnesCount64(p.diagonals&own) +
		10*bits.OnesCount64(p.knights&own) +
		5*bits.OnesCount64(p.straights&own) +
		bits.OnesCount64(p.pawns&own)
}

// Stopped returns the result of a stop here: the higher score wins. After the capture
// of a king that is the capturer, except in texts with more queens than a game can
// have; Result handles those.
func (p *Position) Stopped() game.Result {
	return game.ByCount(p.Score(game.First), p.Score(game.Second))
}

// set puts a piece on the single cell of b, or empties it for the zero Piece. It
// returns false for an unknown kind.
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

// lift removes the pieces on the cells of b.
func (p *Position) lift(b uint64) {
	p.pieces[game.First] &^= b
	p.pieces[game.Second] &^= b
	p.pawns &^= b
	p.knights &^= b
	p.diagonals &^= b
	p.straights &^= b
	p.kings &^= b
}
