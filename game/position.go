package game

import (
	"math/rand/v2"
	"slices"
)

// Position is a position of a game. Every game implements it.
//
// It is a pointer to a flat struct (no pointers, slices or maps inside), so that an
// assignment copies a position and a search can keep them by value. The methods that
// engines call check nothing and allocate nothing.
type Position interface {
	// Turn returns the side to move. The same side may move twice running:
	// the second stone of a Connect6 turn is a ply of its own.
	Turn() Side

	// Moves appends the legal moves to buf in the game's documented order.
	// There are none exactly when the game is over.
	Moves(buf []Move) []Move

	// Play makes a move that came from Moves.
	Play(m Move)

	// Result returns the result by the rules alone, without history.
	Result() Result

	// Key returns a hash of everything the rules depend on. Equal positions have
	// equal keys; different positions share one with a probability of about 2^-64.
	Key() uint64

	// CopyFrom copies another position of the same type, without allocating. It
	// panics if the types differ.
	CopyFrom(p Position)

	// Clone returns a copy of the position.
	Clone() Position

	// Format returns the notation of a move that came from Moves.
	Format(m Move) string

	// Parse parses the notation of a legal move, in upper or lower case. The error
	// wraps ErrIllegal if the text is a move but not legal here.
	Parse(s string) (Move, error)

	// Board describes how the position looks.
	Board() Board

	// String returns the position in one line; Game.Read parses it.
	String() string
}

// Counter is a Position that counts its legal moves faster than by listing them.
type Counter interface{ Count() int }

// Sampler is a Position that picks a uniformly random legal move faster than by
// listing them. Sample returns the zero Move if the game is over, so that a playout
// need not test for the end at every ply.
type Sampler interface{ Sample(r *rand.PCG) Move }

// Perfter is a Position that counts the leaves of its game tree (see package perft)
// faster than the generic code. The depth is at least 1. Perft leaves the position
// unchanged.
type Perfter interface{ Perft(depth int) uint64 }

// Stopper is a Position of a game with a result for a stop before its rules end it:
// by repetition, or because the players halt it. Other games are drawn by repetition
// and cannot be halted.
type Stopper interface{ Stopped() Result }

// Placer is a Position that tells what is on its cells without allocating, as Board does. Place writes the
// piece of each cell, row by row, into a slice with as many elements.
type Placer interface{ Place(cells []Piece) }

// Configured is a Position that determines options of its game, such as the size of
// the board. SetupOf returns those options.
type Configured interface{ SetupOf() Setup }

// Count returns the number of legal moves. It uses the position's Counter if it has
// one, else it lists them in buf.
func Count(p Position, buf []Move) int {
	if c, ok := p.(Counter); ok {
		return c.Count()
	}
	return len(p.Moves(buf[:0]))
}

// Sample returns a uniformly random legal move, or the zero Move if the game is over.
// It uses the position's Sampler if it has one, else it lists the moves in buf.
func Sample(p Position, r *rand.PCG, buf []Move) Move {
	if s, ok := p.(Sampler); ok {
		return s.Sample(r)
	}
	moves := p.Moves(buf[:0])
	if len(moves) == 0 {
		return 0
	}
	return moves[IntN(r, len(moves))]
}

// Legal reports whether a move is legal in the position.
func Legal(p Position, m Move) bool { return slices.Contains(p.Moves(nil), m) }
