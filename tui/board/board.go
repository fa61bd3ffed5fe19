// Package board draws a [game.Board] with marks on its cells on a canvas. It works
// for every game.
//
// Cells are twice as wide as high in characters, about square. The largest of three
// scales that fits is used; if none fits, the smallest one scrolls to keep the cursor
// visible. Every mark has its own shape, so that colour is never the only difference.
package board

import (
	"quintet/game"
	"quintet/tui/paint"
)

// Click is the message of a click on a cell.
type Click struct{ Cell game.Cell }

// Mark holds the annotations of a cell.
type Mark struct {
	Last     bool   // the last turn was played here: ( )
	From     bool   // the last move left from here: ( ) around nothing
	Selected bool   // the selected piece: { }
	Target   bool   // it may move here: a dot, or > < around what it captures
	Threat   bool   // threatened: ! !
	Hint     bool   // the engine's best move: * *
	Text     string // a value, of at most three columns
	Group    string // the letter of a connected group
}

// Picture is a board with marks and a cursor.
type Picture struct {
	Board  game.Board
	Marks  map[game.Cell]Mark
	Cursor game.Cell
	Active bool      // show the cursor
	Flip   bool      // rotate by half a turn
	Dark   game.Side // the side with the dark pieces
}

// labels is the width of the row labels, including a blank.
const labels = 3

// layout places the cells on the canvas.
type layout struct {
	area                 paint.Rect // of the cells, without labels
	scale                int
	rows, cols           int
	top, left            int // the first visible row and column
	shownRows, shownCols int // number of visible ones
}

// size returns the columns and rows of a picture at a scale.
func size(b game.Board, scale int) (w, h int) {
	w, h = 2*scale*len(b.Cols)+1+labels, scale*len(b.Rows)+1
	if scale > 1 {
		h++
	}
	return w, h
}

// Fit returns the columns and rows that the picture uses of an area of w by h.
func (p *Picture) Fit(w, h int) (int, int) {
	pw, ph := size(p.Board, p.scale(w, h))
	return min(w, pw), min(h, ph)
}

func (p *Picture) scale(w, h int) int {
	for _, s := range []int{4, 2, 1} { // the heights of cells
		if pw, ph := size(p.Board, s); pw <= w && ph <= h && (s < 4 || p.stones()) {
			return s
		}
	}
	return 1
}

// stones reports whether all pieces are stones, which have a large sign.
func (p *Picture) stones() bool {
	for _, piece := range p.Board.Cells {
		if piece.Kind != game.Empty && piece.Kind != game.Stone && piece.Kind != game.Pit {
			return false
		}
	}
	return true
}

func (p *Picture) layout(r paint.Rect) layout {
	l := layout{scale: p.scale(r.W, r.H), rows: len(p.Board.Rows), cols: len(p.Board.Cols)}
	l.area = paint.Rect{X: r.X + labels, Y: r.Y + 1, W: r.W - labels, H: r.H - 1}
	frame := 0
	if l.scale > 1 {
		frame = 1
	}
	row, col := p.place(p.Cursor)
	l.top, l.shownRows = paint.Span(l.rows, max((l.area.H-frame)/l.scale, 1), row)
	l.left, l.shownCols = paint.Span(l.cols, max((l.area.W-1)/(2*l.scale), 1), col)
	return l
}

// place returns the row and column at which a cell is drawn.
func (p *Picture) place(c game.Cell) (row, col int) {
	cols := max(len(p.Board.Cols), 1)
	row, col = int(c)/cols, int(c)%cols
	if p.Flip {
		return len(p.Board.Rows) - 1 - row, cols - 1 - col
	}
	return row, col
}

// cell returns the cell drawn at a row and column.
func (p *Picture) cell(row, col int) game.Cell {
	if p.Flip {
		row, col = len(p.Board.Rows)-1-row, len(p.Board.Cols)-1-col
	}
	return game.Cell(row*len(p.Board.Cols) + col)
}

// Move returns the cell a number of drawn rows and columns away, clamped to the
// board.
func (p *Picture) Move(from game.Cell, rows, cols int) game.Cell {
	row, col := p.place(from)
	row = min(max(row+rows, 0), len(p.Board.Rows)-1)
	col = min(max(col+cols, 0), len(p.Board.Cols)-1)
	return p.cell(row, col)
}

// x and y return the center of a cell.
func (l layout) x(col int) int { return l.area.X + 2*l.scale*(col-l.left) + l.scale }
func (l layout) y(row int) int { return l.area.Y + l.scale*(row-l.top) + l.scale/2 }
