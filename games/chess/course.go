package chess

import (
	"math/bits"

	"quintet/game"
)

// Course is the game by the operations that the course document lists for its
// Game, Board, Piece and Player together.
//
// A cell is given by two numbers counted from 0: y from the top, where Black's
// home row is, and x from the left. So the course's cell A2 is (1, 0), and
// White's king starts on (7, 4).
//
// As in the course, making a move and ending the turn are two operations: Move
// leaves it the same side's turn, and NextTurn ends it, also one in which no
// move was made.
type Course struct {
	pos   Position
	state State
}

// State is whether a course game goes on.
type State uint8

// The states.
const (
	Running State = iota
	Stopped
)

// PlacedPiece is a piece and the cell on which it stands.
type PlacedPiece struct {
	Y, X  int
	Piece game.Piece
}

// NewCourse returns a game that begins: all 32 pieces in place, White's turn.
func NewCourse() *Course { return &Course{pos: *Start()} }

// cellAt returns the number of a cell; not ok outside the board.
func cellAt(y, x int) (cell int, ok bool) {
	return y*8 + x, y >= 0 && y < 8 && x >= 0 && x < 8
}

// Get returns the piece on a cell, the zero Piece if there is none; not ok
// outside the board.
func (c *Course) Get(y, x int) (piece game.Piece, ok bool) {
	cell, ok := cellAt(y, x)
	if !ok {
		return game.Piece{}, false
	}
	return c.pos.At(game.Cell(cell)), true
}

// IsEmpty reports whether a cell is on the board and nothing stands on it.
func (c *Course) IsEmpty(y, x int) bool {
	piece, ok := c.Get(y, x)
	return ok && piece.Kind == game.Empty
}

// Put puts a piece on a cell in place of what stands there; the zero Piece
// empties the cell. It reports false, and changes nothing, outside the board
// or for a kind that chess does not have. Nothing else is checked: boards may
// be set up with any number of kings. A pawn counts as unmoved where it is put
// on the second row of its own side, and nowhere else.
func (c *Course) Put(y, x int, piece game.Piece) bool {
	cell, ok := cellAt(y, x)
	return ok && c.pos.set(bit(cell), piece)
}

// IsMoveValid reports whether the side whose turn it is may move from the
// first cell to the second. Either may lie outside the board; the move is then
// not valid.
func (c *Course) IsMoveValid(y1, x1, y2, x2 int) bool {
	from, ok1 := cellAt(y1, x1)
	to, ok2 := cellAt(y2, x2)
	return ok1 && ok2 && c.targets(from)&bit(to) != 0
}

// targets returns where the piece on a cell can go, if it is of the side whose
// turn it is.
func (c *Course) targets(from int) uint64 {
	if c.pos.Pieces(c.pos.turn)&bit(from) == 0 {
		return 0
	}
	return c.pos.targets(from)
}

// Move makes a valid move of the side whose turn it is, which remains that
// side's turn. The capture of a king stops the game. It reports false, and
// changes nothing, if the move is not valid or the game is stopped.
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

// Turn returns the side whose turn it is: game.First is White.
func (c *Course) Turn() game.Side { return c.pos.turn }

// NextTurn gives the turn to the other side.
func (c *Course) NextTurn() { c.pos.turn = c.pos.turn.Other() }

// State returns whether the game goes on.
func (c *Course) State() State { return c.state }

// Stop stops the game, as the players may on their turn.
func (c *Course) Stop() { c.state = Stopped }

// Result returns how a stopped game came out: the higher score wins. It is
// ongoing while the game runs.
func (c *Course) Result() game.Result {
	if c.state == Running {
		return game.Ongoing
	}
	return c.pos.Stopped()
}

// Score returns the sum of the scores of a side's pieces that are alive.
func (c *Course) Score(s game.Side) int { return c.pos.Score(s) }

// PieceCount returns how many pieces of a side are alive.
func (c *Course) PieceCount(s game.Side) int { return bits.OnesCount64(c.pos.Pieces(s)) }

// Piece returns one of a side's pieces that are alive, numbered from 0 row by
// row from the top left; not ok if there is none of that number.
func (c *Course) Piece(s game.Side, i int) (piece PlacedPiece, ok bool) {
	if i < 0 || i >= c.PieceCount(s) {
		return PlacedPiece{}, false
	}
	cell := game.NthBit(c.pos.Pieces(s), i)
	return PlacedPiece{Y: cell / 8, X: cell % 8, Piece: c.pos.At(game.Cell(cell))}, true
}

// Board returns the picture of the board.
func (c *Course) Board() game.Board { return c.pos.Board() }
