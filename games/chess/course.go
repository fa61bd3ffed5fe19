package chess

import (
	"math/bits"

	"quintet/game"
)

// Course implements the operations that the course document lists for its Game,
// Board, Piece and Player.
//
// A cell is given as y, x, counted from 0: y from the top, Black's home row, and x
// from the left. The course's cell A2 is (1, 0); White's king starts on (7, 4).
//
// As in the course, Move does not end the turn; NextTurn does, even without a move.
type Course struct {
	pos   Position
	state State
}

// State is the state of a course game.
type State uint8

// The states.
const (
	Running State = iota
	Stopped
)

// PlacedPiece is a piece and its cell.
type PlacedPiece struct {
	Y, X  int
	Piece game.Piece
}

// NewCourse returns a new game.
func NewCourse() *Course { return &Course{pos: *Start()} }

// cellAt returns the index of a cell; ok is false outside the board.
func cellAt(y, x int) (cell int, ok bool) {
	return y*8 + x, y >= 0 && y < 8 && x >= 0 && x < 8
}

// Get returns the piece on a cell, the zero Piece if it is empty; ok is false outside
// the board.
func (c *Course) Get(y, x int) (piece game.Piece, ok bool) {
	cell, ok := cellAt(y, x)
	if !ok {
		return game.Piece{}, false
	}
	return c.pos.At(game.Cell(cell)), true
}

// IsEmpty reports whether a cell is on the board and empty.
func (c *Course) IsEmpty(y, x int) bool {
	piece, ok := c.Get(y, x)
	return ok && piece.Kind == game.Empty
}

// Put replaces the content of a cell; the zero Piece empties it. It returns false and
// changes nothing outside the board or for an unknown kind. It checks nothing else: a
// board may have any number of kings. A pawn counts as unmoved only on the second row
// of its own side.
func (c *Course) Put(y, x int, piece game.Piece) bool {
	cell, ok := cellAt(y, x)
	return ok && c.pos.set(bit(cell), piece)
}

// IsMoveValid reports whether the side to move may move between two cells. A move is
// invalid if a cell lies outside the board.
func (c *Course) IsMoveValid(y1, x1, y2, x2 int) bool {
	from, ok1 := cellAt(y1, x1)
	to, ok2 := cellAt(y2, x2)
	return ok1 && ok2 && c.targets(from)&bit(to) != 0
}

// targets returns the target cells of a piece of the side to move; none for other
// cells.
func (c *Course) targets(from int) uint64 {
	if c.pos.Pieces(c.pos.turn)&bit(from) == 0 {
		return 0
	}
	return c.pos.targets(from)
}

// Move plays a valid move of the side to move without ending the turn. The capture of
// a king stops the game. It returns false and changes nothing if the move is invalid
// or the game is stopped.
func (c *Course) Move(y1, x1, y2, x2 int) bool {
	if c.state == Stopped || !c.IsMoveValid(y1, x1, y2, x2) {
		return false
	}
	if taken, _ := c.Get(y2, x2); taken.Kind == King {
		c.state = Stopped
	}
	c.pos.shift(y1*8+x1, y2*8+x2)
	return true
}

// Turn returns the side to move: game.First is White.
func (c *Course) Turn() game.Side { return c.pos.turn }

// NextTurn ends the turn.
func (c *Course) NextTurn() { c.pos.turn = c.pos.turn.Other() }

// State returns whether the game is running.
func (c *Course) State() State { return c.state }

// Stop halts the game.
func (c *Course) Stop() { c.state = Stopped }

// Result returns the result of a stopped game: the higher score wins. It is
// game.Ongoing while the game runs.
func (c *Course) Result() game.Result {
	if c.state == Running {
		return game.Ongoing
	}
	return c.pos.Stopped()
}

// Score returns the score of a side's remaining pieces.
func (c *Course) Score(s game.Side) int { return c.pos.Score(s) }

// PieceCount returns the number of a side's remaining pieces.
func (c *Course) PieceCount(s game.Side) int { return bits.OnesCount64(c.pos.Pieces(s)) }

// Piece returns the ith remaining piece of a side, from 0 row by row from the top
// left; ok is false if there are fewer.
func (c *Course) Piece(s game.Side, i int) (piece PlacedPiece, ok bool) {
	if i < 0 || i >= c.PieceCount(s) {
		return PlacedPiece{}, false
	}
	cell := game.NthBit(c.pos.Pieces(s), i)
	return PlacedPiece{Y: cell / 8, X: cell % 8, Piece: c.pos.At(game.Cell(cell))}, true
}

// Board describes how the board looks.
func (c *Course) Board() game.Board { return c.pos.Board() }
