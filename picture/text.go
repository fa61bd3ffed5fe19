package picture

import (
	"fmt"
	"slices"
	"strings"

	"quintet/game"
)

// Text draws a board as text, one line per row: stones are the first letters of the
// sides' names, lettered pieces of the first side are upper case, pits are #, and the
// cells of the last move are in brackets.
func Text(b game.Board, sides [2]string, o Options) string {
	width := 1
	for _, name := range b.Rows {
		width = max(width, len(name))
	}
	var t strings.Builder
	columns := strings.Repeat(" ", width+1) + strings.Join(b.Cols, " ") + "\n"
	t.WriteString(columns)
	for row, name := range b.Rows {
		fmt.Fprintf(&t, "%*s", width, name)
		closing := false
		for col := range b.Cols {
			at := game.Cell(row*len(b.Cols) + col)
			marked := slices.Contains(o.Last, at)
			switch {
			case marked:
				t.WriteByte('(')
			case closing:
				t.WriteByte(')')
			default:
				t.WriteByte(' ')
			}
			closing = marked
			t.WriteByte(Letter(b.At(row, col), sides))
		}
		t.WriteString(map[bool]string{true: ")", false: " "}[closing] + name + "\n")
	}
	t.WriteString(columns)
	if b.Note != "" {
		t.WriteString(b.Note + "\n")
	}
	return t.String()
}

// Letter returns the letter of a piece, or the sign of a cell without one.
func Letter(p game.Piece, sides [2]string) byte {
	switch {
	case p.Kind == game.Empty:
		return '.'
	case p.Kind == game.Pit:
		return '#'
	case p.Kind == game.Stone && sides[p.Side] != "":
		return sides[p.Side][0]
	case p.Side == game.Second:
		return p.Kind | 0x20
	}
	return p.Kind
}
