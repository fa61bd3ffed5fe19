// Package chess implements chess without check: no castling, no en passant capture
// and no promotion. A king may stay or move where it is attacked; its capture wins at
// once.
//
// Start with [Game] and [Position]. [Course] offers the same rules with the
// operations and coordinates of the course document.
//
// A side without a move passes if its opponent has one. If neither side can move, or
// the players halt the game, the scores decide: see [Position.Score].
package chess

import (
	_ "embed" // the rules in words, a game to watch

	"quintet/game"
)

// sides are the names of the two sides.
var sides = [2]string{"White", "Black"}

//go:embed rules.txt
var rules string

//go:embed demo.txt
var demo string

// Game is chess without check.
var Game = game.Game{
	Name:  "chess",
	Title: "Chess, king capture wins",
	Sides: sides,
	Options: []game.Option{{
		Name:    "halt",
		Help:    "who may halt the game, so that the pieces are counted",
		Default: string(game.HaltClaim),
		Initial: string(game.HaltNone), // or the side that is a pawn ahead ends the game
		Choices: []string{string(game.HaltClaim), string(game.HaltAgreed), string(game.HaltNone)},
	}},
	Notation: "two squares such as e2e4, or pass",
	Rules:    rules,
	Repeat:   3,
	New:      func(game.Setup) (game.Position, error) { return Start(), nil },
	Read:     read,
	Passable: true,
	Look: game.Look{
		Blurb:      "without castling, en passant and promotion; capture the king",
		Demo:       game.Demo{Moves: demo},
		Ground:     game.Chequered,
		Set:        game.Chessmen,
		LightFirst: true,
		Turned:     true,
		Form:       game.Form{Letters: formLetters(), Turn: [2]string{"w", "b"}, Rest: " - - 0 1"},
		Ending:     game.King,
	},
}

// formLetters returns how positions are written: capital letters for White, small ones for Black.
func formLetters() (list []game.Letter) {
	for _, kind := range []byte("KQRBNP") {
		list = append(list, game.Letter{Piece: game.Piece{Kind: kind, Side: game.First}, Letter: kind},
			game.Letter{Piece: game.Piece{Kind: kind, Side: game.Second}, Letter: kind | 0x20})
	}
	return list
}

// Position is a position as bitboards. Bit 0 is cell 0, a8; bits follow row by row,
// so that bit 63 is h1.
//
// Invariants: each side has at most one king, at least one side has a king, and no
// pawn stands behind its home rank.
type Position struct {
	pieces    [2]uint64 // of each side
	pawns     uint64    // of each kind, of both sides
	knights   uint64
	diagonals uint64 // bishops and queens
	straights uint64 // rooks and queens
	kings     uint64
	turn      game.Side
}

// Position implements all optional interfaces of package game.
var (
	_ game.Position  = (*Position)(nil)
	_ game.Counter   = (*Position)(nil)
	_ game.Sampler   = (*Position)(nil)
	_ game.Perfter   = (*Position)(nil)
	_ game.Stopper   = (*Position)(nil)
	_ game.Explainer = (*Position)(nil)
)

// Start returns the start position.
func Start() *Position {
	return &Position{
		pieces:    [2]uint64{rank1 | rank2, rank8 | rank7},
		pawns:     rank2 | rank7,
		straights: (fileA | fileH | fileD) & (rank1 | rank8),
		knights:   (fileA<<1 | fileH>>1) & (rank1 | rank8),
		diagonals: (fileA<<2 | fileH>>2 | fileD) & (rank1 | rank8),
		kings:     fileD << 1 & (rank1 | rank8),
	}
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Play makes a move that came from Moves.
func (p *Position) Play(m game.Move) {
	if from, ok := m.From(); ok {
		p.shift(int(from), int(m.To()))
	}
	p.turn = p.turn.Other()
}

// shift moves a piece of the side to move and captures. It updates every set
// unconditionally, which is faster than finding the sets of the two pieces.
func (p *Position) shift(from, to int) {
	gone := bit(from) | bit(to)
	p.pawns = p.pawns&^gone | carryBit(p.pawns, from, to)
	p.knights = p.knights&^gone | carryBit(p.knights, from, to)
	p.diagonals = p.diagonals&^gone | carryBit(p.diagonals, from, to)
	p.straights = p.straights&^gone | carryBit(p.straights, from, to)
	p.kings = p.kings&^gone | carryBit(p.kings, from, to)
	p.pieces[p.turn&1] ^= gone
	p.pieces[p.turn&1^1] &^= gone
}

// carryBit returns the bit of to if the set contains from, else 0.
func carryBit(set uint64, from, to int) uint64 { return set >> (from & 63) & 1 << (to & 63) }

// bit returns the set of one cell.
func bit(cell int) uint64 { return 1 << (cell & 63) }

// Result returns the result: a win for the side that has captured the king, else that
// of Stopped if neither side can move.
func (p *Position) Result() game.Result {
	switch {
	case p.kings&p.pieces[game.First] == 0:
		return game.SecondWins
	case p.kings&p.pieces[game.Second] == 0:
		return game.FirstWins
	case p.mobile() || p.opponentMobile():
		return game.Ongoing
	}
	return p.Stopped()
}

// kingless reports whether a king has been captured.
func (p *Position) kingless() bool { return p.kings&(p.kings-1) == 0 }

// Key returns a hash of the pieces and the side to move. The kinds are packed
// into three sets first, in which a king reads 110, a pawn 010, a knight 100,
// a bishop 001, a rook 011 and a queen 111.
func (p *Position) Key() uint64 {
	queens := p.diagonals & p.straights
	h := game.Mix(uint64(p.turn), p.pieces[game.First])
	h = game.Mix(h, p.knights|p.kings|queens)
	h = game.Mix(h, p.pawns|p.kings|p.straights)
	return game.Mix(h, p.diagonals|p.straights)
}

// CopyFrom makes the position equal to another chess position.
func (p *Position) CopyFrom(from game.Position) {
	q := from.(*Position)
	p.pieces = q.pieces // field by field: see board8.Placement.Copy
	p.pawns, p.knights, p.diagonals, p.straights, p.kings = q.pawns, q.knights, q.diagonals, q.straights, q.kings
	p.turn = q.turn
}

// Clone returns a copy of the position.
func (p *Position) Clone() game.Position {
	q := *p
	return &q
}
