package othello

import (
	"math/bits"

	"quintet/game"
)

// Words is a board of up to 8 by 8 cells as its bits, for searches of Othello
// alone: bit row*8+col is a cell. Nothing in it says how large the board is, or
// which side is to move but that it is Own.
type Words struct {
	Own, Other uint64 // discs of the side to move, and of its opponent
	Ground     uint64 // cells of the board that are no pits
	Moves      uint64 // where the side to move can put a disc
}

// Words returns the bits of the position.
func (p *Small) Words() Words { return Words{p.own, p.other, p.ground, p.moves} }

// Move returns the move that puts a disc on a bit's cell.
func (p *Small) Move(square int) game.Move { return game.Put(p.cell(square)) }

// Play returns the board after a disc on one of the bits of Moves.
func (w Words) Play(square int) Words {
	flips, next := play(w.Own, w.Other, w.Ground, square)
	return Words{w.Other ^ flips, w.Own | flips | 1<<(square&63), w.Ground, next}
}

// Pass returns the board with the other side to move.
func (w Words) Pass() Words {
	return Words{w.Other, w.Own, w.Ground, replies(w.Other, w.Own, w.Ground)}
}

// Empty returns the cells on which there is no disc and no pit.
func (w Words) Empty() uint64 { return w.Ground &^ (w.Own | w.Other) }

// Margin returns by how many discs the side to move is ahead.
func (w Words) Margin() int { return bits.OnesCount64(w.Own) - bits.OnesCount64(w.Other) }
