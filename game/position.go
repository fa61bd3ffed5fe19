package game

import (
	"math/rand/v2"
	"slices"
)

// Position is a position of one game, and all that a game must write.
//
// It is a pointer to a flat struct (no pointers, slices or maps inside), so
// that an assignment copies a position and a search can keep them by value.
// The methods for engines check nothing and allocate nothing.
type Position interface {
	// Turn returns the side to move. The same side may move twice running:
	// the second stone of a Connect6 turn is a ply of its own.
	Turn() Side

	// Moves appends the legal moves to buf in the game's documented order.
	// There are none exactly when the game is over.
	Moves(buf []Move) []Move

	// Play makes a move that came from Moves.
	Play(m Move)

	// Result returns how the game stands by the rules alone, history apart.
	Result() Result

	// Key returns a hash of all that the rules look at: equal positions,
	// equal keys. Different positions share a key with a chance of about 2^-64.
	Key() uint64

	// CopyFrom makes this position equal to another of the same type,
	// without allocating. It panics if the types differ.
	CopyFrom(p Position)

	// Clone returns a copy of the position.
	Clone() Position

	// Format returns the notation of a move that came from Moves.
	Format(m Move) string

	// Parse reads the notation of a legal move, upper or lower case. The
	// error says what was wrong; it wraps ErrIllegal if the text is a move,
	// but not one of this position.
	Parse(s string) (Move, error)

	// Board returns the picture of the position.
	Board() Board

	// String returns the position in one line, which Game.Read reads.
	String() string
}

// Counter is a Position that counts its legal moves faster than it lists them.
type Counter interface{ Count() int }

// Sampler is a Position that picks a legal move, each with equal chance,
// faster than by listing them. It returns the zero Move if the game is over,
// so that a random game need not ask for the result at every ply.
type Sampler interface{ Sample(r *rand.PCG) Move }

// Perfter is a Position that counts the leaves of its game tree (see package
// perft) by code of its own, measured to be faster than the common walk. The
// depth is at least 1. It leaves the position as it was.
type Perfter interface{ Perft(depth int) uint64 }

// Stopper is a Position that has a result also where its game is stopped
// before the rules end it: by repetition, or because the players halt it.
// Other games are drawn by repetition and cannot be halted.
type Stopper interface{ Stopped() Result }

// Fixer is a Position that settles options of its game by what it is, such as the size
// of its board: a game that begins there has them as Fixed returns them.
type Fixer interface{ Fixed() Setup }

// Count returns the number of legal moves, by the position's own Counter if
// it has one; buf is used if it has not.
func Count(p Position, buf []Move) int {
	if c, ok := p.(Counter); ok {
		return c.Count()
	}
	return len(p.Moves(buf[:0]))
}

// Sample returns a legal move, each with equal chance, or the zero Move if the
// game is over; buf is used if the position has no Sampler of its own.
func Sample(p Position, r *rand.PCG, buf []Move) Move {
	if s, ok := p.(Sampler); ok {
		return s.Sample(r)
	}
	moves := p.Moves(buf[:0])
	if len(moves) == 0 {
		return 0
	}
	return moves[Below(r, len(moves))]
}

// Legal reports whether a move is one of the position's.
func Legal(p Position, m Move) bool { return slices.Contains(p.Moves(nil), m) }
