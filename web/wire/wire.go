// Package wire is the JSON of positions, moves, lines, reviews, puzzles and lessons, as the server
// and the engine in the page (package local) answer with it. It knows no HTTP, so that it
// compiles to a small WebAssembly module. docs/api.md describes its JSON.
//
// Start with [BoardOf] and [MoveOf].
package wire

import (
	"strconv"

	"quintet/game"
)

// Both holds a value for each side.
type Both[T any] struct {
	First  T `json:"first"`
	Second T `json:"second"`
}

// BothOf returns the values of two sides.
func BothOf[T any](two [2]T) Both[T] { return Both[T]{two[0], two[1]} }

// Move is a move with the indexes of its cells on the board. A pass has none; a placed
// stone has only To.
type Move struct {
	Move string `json:"move"`
	From *int   `json:"from,omitempty"`
	To   *int   `json:"to,omitempty"`
}

// MoveOf returns a move that has a text.
func MoveOf(text string, m game.Move) Move {
	v := Move{Move: text}
	if m == game.Pass {
		return v
	}
	if from, ok := m.From(); ok {
		n := int(from)
		v.From = &n
	}
	to := int(m.To())
	v.To = &to
	return v
}

// MovesOf returns moves that are legal in a position.
func MovesOf(p game.Position, moves []game.Move) []Move {
	list := make([]Move, 0, len(moves))
	for _, m := range moves {
		list = append(list, MoveOf(p.Format(m), m))
	}
	return list
}

// Board is a board as the pages' script draws it. A cell is "" if empty, "#" for a pit, and
// otherwise the side, 1 or 2, and the kind of piece: "1o" is a stone of the first side,
// "2K" the king of the second.
type Board struct {
	Rows   []string `json:"rows"`
	Cols   []string `json:"cols"`
	Cells  []string `json:"cells"` // row by row from the top left
	Points bool     `json:"points"`
	Note   string   `json:"note"`
}

// BoardOf returns the board of a position.
func BoardOf(b game.Board) Board {
	v := Board{Rows: b.Rows, Cols: b.Cols, Points: b.Points, Note: b.Note, Cells: make([]string, len(b.Cells))}
	for i, p := range b.Cells {
		v.Cells[i] = PieceCode(p)
	}
	return v
}

// PieceCode returns the text of a cell, see Board.
func PieceCode(p game.Piece) string {
	switch p.Kind {
	case game.Empty:
		return ""
	case game.Pit:
		return string(game.Pit)
	}
	return strconv.Itoa(int(p.Side)+1) + string(p.Kind)
}
