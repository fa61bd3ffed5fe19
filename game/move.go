package game

import "fmt"

// Cell is the index of a cell, row by row from the top left as the board is drawn. A
// Move can hold cells 0 to 2047.
type Cell uint16

// Move is one ply of any game: a stone put on a cell, a piece shifted from one cell
// to another, or a pass. All games share one encoding, so that screens and records
// need not know the game. The zero Move is not a move.
//
// Bits 0 to 10 are the destination, 11 to 21 the origin, 22 and 23 the form, 24 to 31
// the kind. The form distinguishes a pass from a move to cell 0. The kind is 0 in games
// whose moves differ by their cells alone.
type Move uint32

const (
	cellBits = 11
	cellMask = 1<<cellBits - 1
	formBit  = 2 * cellBits

	formPut   Move = 1 << formBit
	formShift Move = 2 << formBit
	formMask  Move = 3 << formBit

	kindBit = 24
)

// Pass is the move of a side that cannot move while its opponent can.
const Pass Move = 3 << formBit

// Put returns the move that puts a stone on a cell.
func Put(to Cell) Move { return formPut | Move(to) }

// Shift returns the move that takes a piece from one cell to another.
func Shift(from, to Cell) Move { return formShift | Move(from)<<cellBits | Move(to) }

// To returns the cell on which a stone or piece arrives; 0 for a pass.
func (m Move) To() Cell { return Cell(m & cellMask) }

// From returns the cell that a piece leaves; not ok for a stone or a pass.
func (m Move) From() (c Cell, ok bool) {
	return Cell(m >> cellBits & cellMask), m&formMask == formShift
}

// Cells returns the cell that a piece leaves, if any, and the one on which it or a stone
// arrives; none for a pass.
func (m Move) Cells() (cells []Cell) {
	if m == Pass {
		return nil
	}
	if from, ok := m.From(); ok {
		cells = append(cells, from)
	}
	return append(cells, m.To())
}

// WithKind returns the move with another kind, which distinguishes moves on the same
// cells: the letter of the piece that a pawn becomes, or a constant of the game for
// a swap of sides. 0 is no special kind.
func (m Move) WithKind(kind byte) Move { return m&(1<<kindBit-1) | Move(kind)<<kindBit }

// Kind returns the kind of a move.
func (m Move) Kind() byte { return byte(m >> kindBit) }

// String returns the encoded move for debugging; Position.Format is for people.
func (m Move) String() string {
	kind := ""
	if m.Kind() != 0 {
		kind = fmt.Sprintf(" kind %d", m.Kind())
	}
	switch m & formMask {
	case formPut:
		return fmt.Sprintf("put %d%s", m.To(), kind)
	case formShift:
		return fmt.Sprintf("shift %d %d%s", m>>cellBits&cellMask, m.To(), kind)
	case Pass:
		return "pass" + kind
	}
	return "none"
}
