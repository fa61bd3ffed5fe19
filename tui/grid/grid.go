// Package grid draws boards on a terminal. It knows no game: a game.Board goes
// in, with marks on some of its cells, and lines of text come out.
//
// Start with Fit, which chooses how large cells are drawn and which part of the
// board is seen; View.Draw draws that, and View.At says which cell is under the
// mouse.
//
// The package promises square cells on terminals whose characters are twice as
// high as wide, and that every mark shows without colours.
package grid

import (
	"unicode/utf8"

	"quintet/game"
)

// Scale is how large cells are drawn.
type Scale uint8

// The scales: columns and rows of a cell are 2×1, 4×2 and 8×4.
const (
	Small Scale = iota
	Medium
	Large
)

// View is the part of a board that is seen, and how it is drawn.
type View struct {
	Scale      Scale
	Points     bool
	Rows, Cols int // of the board
	Top, Left  int // the first row and column that are seen
	Height     int // rows that are seen
	Width      int // columns that are seen
	gutter     int // columns for the labels of rows
}

// Fit returns the view of a board in so many columns and rows of characters, in
// the largest scale up to most in which the whole board is seen; or in the
// smallest, of which a part is seen then, as near as can be to that of the view
// before, with the cell of the focus in it.
func Fit(b game.Board, w, h int, most Scale, focus game.Cell, before View) View {
	v := View{Rows: len(b.Rows), Cols: len(b.Cols), Points: b.Points}
	for _, label := range b.Rows {
		v.gutter = max(v.gutter, utf8.RuneCountInString(label)+1)
	}
	if b.Points {
		most = min(most, Medium)
	}
	for v.Scale = most; ; v.Scale-- {
		v.Height, v.Width = v.Rows, v.Cols
		fw, fh := v.Size()
		if fw <= w && fh <= h || v.Scale == Small {
			break
		}
	}
	v.Height = min(v.Rows, max(h-1, 1))
	if v.Height < v.Rows && v.Scale == Small {
		v.gutter++ // for the arrows that say that there is more
	}
	v.Width = min(v.Cols, max((w-v.gutter-1)/2, 1))
	if v.Scale != Small {
		v.Height, v.Width = v.Rows, v.Cols
	}
	row, col := int(focus)/max(v.Cols, 1), int(focus)%max(v.Cols, 1)
	v.Top = follow(before.Top, v.Height, v.Rows, row)
	v.Left = follow(before.Left, v.Width, v.Cols, col)
	return v
}

// follow moves a window no farther than it must to show a place, with one more
// line on either side where there is one.
func follow(start, length, total, at int) int {
	margin := min(1, (length-1)/2)
	start = min(start, at-margin)
	start = max(start, at+margin-length+1)
	return max(0, min(start, total-length))
}

// step is the columns and rows from a cell to the next.
func (v View) step() (x, y int) { return 2 << v.Scale, 1 << v.Scale }

// Size returns the columns and rows of characters that the view takes.
func (v View) Size() (w, h int) {
	x, y := v.step()
	w, h = v.gutter+v.Width*x+1, 1+v.Height*y
	switch {
	case v.Scale == Small:
	case v.Points:
		h--
	default:
		h++
	}
	return w, h
}

// Whole reports whether all of the board is seen.
func (v View) Whole() bool { return v.Height == v.Rows && v.Width == v.Cols }

// middle returns where the shape of a cell of the view is drawn.
func (v View) middle(row, col int) (x, y int) {
	dx, dy := v.step()
	x, y = v.gutter+col*dx+dx/2, 1+row*dy+dy/2
	if v.Points && v.Scale != Small {
		y = 1 + row*dy
	}
	return x, y
}

// At returns the cell that is drawn at a character of the view.
func (v View) At(x, y int) (c game.Cell, ok bool) {
	dx, dy := v.step()
	x, y = x-v.gutter, y-1
	if v.Points && v.Scale == Medium {
		y++
	}
	if x < 0 || y < 0 {
		return 0, false
	}
	if v.Scale == Small { // the blank before a shape belongs to it
		x++
		x -= x % 2
		x = max(x-1, 0)
	}
	row, col := y/dy, x/dx
	if row >= v.Height || col >= v.Width {
		return 0, false
	}
	return game.Cell((v.Top+row)*v.Cols + v.Left + col), true
}
