package console

import (
	"fmt"
	"strings"

	"quintet/game"
)

// style describes the output format of a board, so that one function prints all
// games.
type style struct {
	label      int     // width of a row label and of the header's indentation
	row        int     // number of the first row
	col        byte    // letter of the first column
	colLead    string  // before each letter of the header
	colEnd     string  // after the last one
	cellLead   string  // before every cell
	cellEnd    string  // after the last
	rule       string  // line before the first row and after each row
	empty      byte    // symbol of an empty cell
	stones     [2]byte // symbols of the two sides' stones
	lowerFirst bool    // the first side's lettered pieces are in lower case
}

// The styles of the five boards. They differ in labels, trailing blanks and the
// frame.
var (
	smallBoard  = style{label: 1, row: 0, col: 'a', colLead: " ", cellLead: " ", empty: '.', stones: [2]byte{'B', 'W'}}
	stoneBoard  = style{label: 2, row: 0, col: 'A', colLead: " ", cellLead: " ", empty: '.', stones: [2]byte{'B', 'W'}}
	pitBoard    = style{label: 2, row: 1, col: 'A', colLead: " ", cellLead: " ", cellEnd: " ", empty: '.', stones: [2]byte{'X', 'O'}}
	framedBoard = style{
		label: 1, row: 1, col: 'A',
		colLead: "   ", colEnd: "  ", cellLead: " | ", cellEnd: " | ",
		rule:  "  ---------------------------------\n",
		empty: ' ', lowerFirst: true,
	}
)

// show prints a board.
func (t *dialogue) show(b game.Board) {
	_, _ = t.out.WriteString(t.board.draw(b))
}

// draw returns the lines of a board. The labels come from the style, because the
// course's differ from game.Board's.
func (s style) draw(b game.Board) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%*s", s.label, "")
	for col := range b.Cols {
		w.WriteString(s.colLead)
		w.WriteByte(s.col + byte(col))
	}
	w.WriteString(s.colEnd + "\n" + s.rule)
	for row := range b.Rows {
		fmt.Fprintf(&w, "%*d", s.label, s.row+row)
		for col := range b.Cols {
			w.WriteString(s.cellLead)
			w.WriteByte(s.symbol(b.At(row, col)))
		}
		w.WriteString(s.cellEnd + "\n" + s.rule)
	}
	return w.String()
}

func (s style) symbol(p game.Piece) byte {
	const lower = 'a' - 'A'
	switch {
	case p.Kind == game.Empty:
		return s.empty
	case p.Kind == game.Pit:
		return game.Pit
	case p.Kind == game.Stone:
		return s.stones[p.Side]
	case (p.Side == game.First) == s.lowerFirst:
		return p.Kind + lower
	}
	return p.Kind
}
