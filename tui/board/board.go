// Package board draws pictures of positions on a canvas, and knows no game: what
// it is given is a [game.Board], marks on its cells and room.
//
// Cells are twice as wide as high in characters, which is about square. The
// largest of three scales that fits is taken; if none does, the smallest one
// scrolls so that the cursor stays in sight. Every mark has a shape of its own,
// so that nothing is told by colour alone.
package board

import (
	"quintet/game"
	"quintet/tui/paint"
)

// Click is what a click on a cell means.
type Click struct{ Cell game.Cell }

// Mark is what is said about a cell beside what stands on it.
type Mark struct {
	Last     bool   // the last turn was played here: ( )
	From     bool   // the last move left from here: ( ) around nothing
	Selected bool   // the piece that is about to move: { }
	Target   bool   // it may move here: a dot, or > < around what it captures
	Threat   bool   // in danger: ! !
	Hint     bool   // where the engine would play: * *
	Text     string // a value, of at most three columns
	Group    string // the letter of a connected group
}

// Picture is what is drawn.
type Picture struct {
	Board  game.Board
	Marks  map[game.Cell]Mark
	Cursor game.Cell
	Active bool      // the cursor is shown
	Flip   bool      // the picture is turned by half
	Dark   game.Side // whose pieces are the dark ones
}

// labels is how many columns the numbers of rows take, a blank included.
const labels = 3

// scales are the heights of cells, the largest first.
func scales() []int { return []int{4, 2, 1} }

// layout is where cells are.
type layout struct {
	area                 paint.Rect // of the cells, without labels
	scale                int
	rows, cols           int
	top, left            int // the first row and column in sight
	shownRows, shownCols int // how many are
}

// Size returns the columns and rows that a picture takes at a scale.
func size(b game.Board, scale int) (w, h int) {
	w, h = 2*scale*len(b.Cols)+1+labels, scale*len(b.Rows)+1
	if scale > 1 {
		h++
	}
	return w, h
}

// Fit returns the columns and rows that a picture will take in room of so many:
// what it takes at its scale, and at most what there is.
func (p *Picture) Fit(w, h int) (int, int) {
	pw, ph := size(p.Board, p.scale(w, h))
	return min(w, pw), min(h, ph)
}

func (p *Picture) scale(w, h int) int {
	for _, s := range scales() {
		if pw, ph := size(p.Board, s); pw <= w && ph <= h && (s < 4 || p.stones()) {
			return s
		}
	}
	return 1
}

// stones reports whether all pieces have a large sign.
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
	l.top, l.shownRows = visibleRange(l.rows, (l.area.H-frame)/l.scale, row)
	l.left, l.shownCols = visibleRange(l.cols, (l.area.W-1)/(2*l.scale), col)
	return l
}

// visibleRange returns the first of n things and how many are seen when there is room
// for some of them and one of them must be in sight.
func visibleRange(n, room, at int) (first, shown int) {
	if n <= room {
		return 0, n
	}
	room = max(room, 1)
	return min(max(at-room/2, 0), n-room), room
}

// place returns where a cell is drawn, counted in rows and columns.
func (p *Picture) place(c game.Cell) (row, col int) {
	cols := max(len(p.Board.Cols), 1)
	row, col = int(c)/cols, int(c)%cols
	if p.Flip {
		return len(p.Board.Rows) - 1 - row, cols - 1 - col
	}
	return row, col
}

// cell returns the cell that is drawn at a row and column.
func (p *Picture) cell(row, col int) game.Cell {
	if p.Flip {
		row, col = len(p.Board.Rows)-1-row, len(p.Board.Cols)-1-col
	}
	return game.Cell(row*len(p.Board.Cols) + col)
}

// Move returns the cell so many rows and columns from another as they are drawn,
// or the one at the edge.
func (p *Picture) Move(from game.Cell, rows, cols int) game.Cell {
	row, col := p.place(from)
	row = min(max(row+rows, 0), len(p.Board.Rows)-1)
	col = min(max(col+cols, 0), len(p.Board.Cols)-1)
	return p.cell(row, col)
}

// x and y return the middle of a cell.
func (l layout) x(col int) int { return l.area.X + 2*l.scale*(col-l.left) + l.scale }
func (l layout) y(row int) int { return l.area.Y + l.scale*(row-l.top) + l.scale/2 }
