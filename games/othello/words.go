package othello

import (
	"math/bits"

	"quintet/game"
)

// Bitboards is the bitboards of a board of up to 8 rows, for searches that are specific
// to Othello: bit row*8+col is a cell. Own belongs to the side to move.
type Bitboards struct {
	Own, Other uint64 // discs of the side to move, and of its opponent
	Ground     uint64 // cells of the board without pits
	Moves      uint64 // legal moves of the side to move
}

// Bitboards returns the bitboards of the position.
func (p *Small) Bitboards() Bitboards { return Bitboards{p.own, p.other, p.ground, p.moves} }

// Move returns the move to a square.
func (p *Small) Move(square int) game.Move { return game.Put(p.cell(square)) }

// Play returns the board after a move to a square of Moves.
func (w Bitboards) Play(square int) Bitboards {
	flips, next := play(w.Own, w.Other, w.Ground, square)
	return Bitboards{w.Other ^ flips, w.Own | flips | 1<<(square&63), w.Ground, next}
}

// Children sets out to the boards after each of Moves, from the lowest square to the highest,
// and returns their number.
func (w *Bitboards) Children(out *[64]Bitboards) int {
	if w.Moves != 0 {
		children(w.Own, w.Other, w.Ground, w.Moves, out)
	}
	return bits.OnesCount64(w.Moves)
}

// Pass returns the board after a pass.
func (w Bitboards) Pass() Bitboards {
	return Bitboards{w.Other, w.Own, w.Ground, replies(w.Other, w.Own, w.Ground)}
}

// Empty returns the empty cells; pits are not empty.
func (w Bitboards) Empty() uint64 { return w.Ground &^ (w.Own | w.Other) }

// Margin returns the lead of the side to move in discs.
func (w Bitboards) Margin() int { return bits.OnesCount64(w.Own) - bits.OnesCount64(w.Other) }

// NewSmall returns a position on 8x8 without pits: the first side is to move, and own are
// its discs. No cell may be in both sets.
func NewSmall(own, other uint64) *Small {
	p := &Small{own: own, other: other, ground: ^uint64(0), size: 8}
	p.settle(replies(own, other, p.ground))
	return p
}
