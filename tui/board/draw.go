package board

import (
	"quintet/game"
	"quintet/tui/paint"
)

// Draw draws the picture at the top left of the area and makes every cell a click
// zone.
func (p *Picture) Draw(c *paint.Canvas, r paint.Rect, s *paint.Signs) {
	l := p.layout(r)
	d := drawing{p: p, c: c, l: l, s: s}
	d.labels()
	d.background()
	for row := l.top; row < l.top+l.shownRows; row++ {
		for col := l.left; col < l.left+l.shownCols; col++ {
			d.cell(row, col)
		}
	}
	for row := l.top; row < l.top+l.shownRows; row++ {
		for col := l.left; col < l.left+l.shownCols; col++ {
			d.marks(row, col) // marks may overlap the lines of adjacent cells
		}
	}
	if p.Active {
		d.brackets(p.Cursor, "[", "]", paint.Style{FG: paint.White, BG: paint.Selected, Bold: true})
	}
	d.arrows()
}

// drawing is the state of one call of Draw.
type drawing struct {
	p *Picture
	c *paint.Canvas
	l layout
	s *paint.Signs
}

func (d drawing) labels() {
	row, col := d.p.place(d.p.Cursor)
	for i := d.l.left; i < d.l.left+d.l.shownCols; i++ {
		text, style := d.label(d.p.Board.Cols, i, col)
		d.c.Text(d.l.x(i), d.l.area.Y-1, text, style)
	}
	for i := d.l.top; i < d.l.top+d.l.shownRows; i++ {
		text, style := d.label(d.p.Board.Rows, i, row)
		d.c.Right(d.l.area.X-1, d.l.y(i), text, style)
	}
}

// label returns a label of the drawn columns or rows, and its style if the cursor is at one.
func (d drawing) label(names []string, i, cursor int) (text string, s paint.Style) {
	s = paint.Style{FG: paint.Dim}
	if d.p.Active && i == cursor {
		s = paint.Style{FG: paint.Accent, Bold: true}
	}
	if d.p.Flip {
		i = len(names) - 1 - i
	}
	return names[i], s
}

// background draws the board without pieces: the colours of the cells and, at larger
// scales, the lines.
func (d drawing) background() {
	w, h := 2*d.l.scale*d.l.shownCols+1, d.l.scale*d.l.shownRows
	if d.l.scale > 1 {
		h++
	}
	area := paint.Rect{X: d.l.area.X, Y: d.l.area.Y, W: w, H: h}
	d.c.Fill(area, paint.Style{BG: paint.Tile})
	if d.l.scale > 1 && !d.p.Board.Points {
		d.c.Grid(area, 2*d.l.scale, d.l.scale, d.s, paint.Style{FG: paint.Grid, BG: paint.Tile})
	}
}

// cell draws a cell, its piece and its marks.
func (d drawing) cell(row, col int) {
	at := d.p.cell(row, col)
	piece, mark := d.p.Board.Cells[at], d.p.Marks[at]
	x, y := d.l.x(col), d.l.y(row)
	style := paint.Style{FG: paint.Black, BG: d.tile(row, col, mark)}
	if piece.Side != d.p.Dark {
		style.FG = paint.White
	}
	if d.l.scale > 1 {
		d.c.Fill(d.inner(x, y), style)
	}
	if d.p.Board.Points {
		d.crossing(row, col, x, y)
	}
	d.piece(piece, mark, x, y, style)
	d.c.Zone(paint.Rect{X: x - d.l.scale + min(d.l.scale-1, 1), Y: y - (d.l.scale-1)/2, W: 2*d.l.scale - min(d.l.scale-1, 1), H: max(d.l.scale-1, 1)}, Click{at})
}

// inner returns the area inside the lines of a cell.
func (d drawing) inner(x, y int) paint.Rect {
	s := d.l.scale
	return paint.Rect{X: x - s + 1, Y: y - s/2 + 1, W: 2*s - 1, H: s - 1}
}

func (d drawing) tile(row, col int, m Mark) paint.Role {
	switch {
	case m.Selected:
		return paint.Selected
	case m.Last || m.From:
		return paint.Last
	case (row+col)%2 == 1 && !d.p.Board.Points && d.l.scale == 1:
		return paint.TileAlt
	}
	return paint.Tile
}

// crossing draws the lines through a crossing.
func (d drawing) crossing(row, col, x, y int) {
	style := paint.Style{FG: paint.Grid, BG: paint.Tile}
	sign := d.s.Crossing(row, d.l.rows, col, d.l.cols)
	s := d.l.scale
	for i := 1; i <= s; i++ {
		if col > 0 {
			d.c.Put(x-i, y, d.s.Horizontal, style)
		}
		if col < d.l.cols-1 {
			d.c.Put(x+i, y, d.s.Horizontal, style)
		}
	}
	for i := 1; i <= s/2; i++ {
		if row > 0 {
			d.c.Put(x, y-i, d.s.Vertical, style)
		}
		if row < d.l.rows-1 && i < max(s/2, 1)+s%2 {
			d.c.Put(x, y+i, d.s.Vertical, style)
		}
	}
	d.c.Put(x, y, sign, style)
}

// piece draws the sign of a piece, or the text of an empty cell.
func (d drawing) piece(piece game.Piece, m Mark, x, y int, style paint.Style) {
	sign := d.s.Piece(piece, d.p.Dark)
	switch {
	case piece.Kind == game.Pit:
		d.pit(x, y, sign)
	case d.l.scale == 4 && piece.Kind == game.Stone:
		for i, line := range d.s.Big[(piece.Side^d.p.Dark)&1] {
			d.c.Text(x-2, y-1+i, line, style)
		}
	case sign != "":
		style.Bold = true
		d.c.Put(x, y, sign, style)
	case m.Target:
		d.c.Put(x, y, d.s.Bullet, paint.Style{FG: paint.Target, BG: style.BG, Bold: true})
	case d.l.scale == 1 && !d.p.Board.Points:
		d.c.Put(x, y, d.s.Dot, paint.Style{FG: paint.Grid, BG: style.BG})
	}
}

func (d drawing) pit(x, y int, sign string) {
	style := paint.Style{FG: paint.Pit, BG: paint.Pit}
	if d.s.ASCII {
		style.FG = paint.Grid
	}
	r := paint.Rect{X: x, Y: y, W: 1, H: 1}
	if d.l.scale > 1 {
		r = d.inner(x, y)
	}
	for j := range r.H {
		for i := range r.W {
			d.c.Put(r.X+i, r.Y+j, sign, style)
		}
	}
}

// marks draws the most important mark of a cell as a pair of brackets.
func (d drawing) marks(row, col int) {
	at := d.p.cell(row, col)
	piece, m := d.p.Board.Cells[at], d.p.Marks[at]
	bg := d.tile(row, col, m)
	on := func(role paint.Role) paint.Style { return paint.Style{FG: role, BG: bg, Bold: true} }
	x, y := d.l.x(col), d.l.y(row)
	if m.Text != "" && d.l.scale > 1 {
		d.c.Center(d.inner(x, y), y+d.l.scale/4, m.Text, on(paint.Target))
	} else if m.Text != "" && piece.Kind == game.Empty {
		d.c.Clip(x, y, 1, m.Text, on(paint.Target))
	}
	switch {
	case m.Selected:
		d.brackets(at, "{", "}", on(paint.White))
	case m.Hint:
		d.brackets(at, "*", "*", on(paint.Target))
	case m.Target && piece.Kind != game.Empty && m.Text == "":
		d.brackets(at, ">", "<", on(paint.Target))
	case m.Threat:
		d.brackets(at, "!", "!", on(paint.Danger))
	case (m.Last || m.From) && m.Text == "":
		d.brackets(at, "(", ")", on(paint.White))
	}
	if m.Group != "" {
		d.c.Put(x+1, y, m.Group, on(paint.Target))
	}
}

// brackets draws signs to the left and right of a piece.
func (d drawing) brackets(at game.Cell, left, right string, s paint.Style) {
	row, col := d.p.place(at)
	if row < d.l.top || row >= d.l.top+d.l.shownRows || col < d.l.left || col >= d.l.left+d.l.shownCols {
		return
	}
	away := 1
	if d.l.scale == 4 {
		away = 3
	}
	d.c.Put(d.l.x(col)-away, d.l.y(row), left, s)
	d.c.Put(d.l.x(col)+away, d.l.y(row), right, s)
}

// arrows indicates at the corners that the board continues beyond the visible part.
func (d drawing) arrows() {
	style := paint.Style{FG: paint.Accent, Bold: true}
	x, bottom := d.l.area.X-1, d.l.area.Y+d.l.shownRows*d.l.scale-1
	if d.l.top > 0 {
		d.c.Put(x, d.l.area.Y, d.s.Up, style)
	}
	if d.l.top+d.l.shownRows < d.l.rows {
		d.c.Put(x, bottom, d.s.Down, style)
	}
	if d.l.left > 0 {
		d.c.Put(x-1, d.l.area.Y-1, d.s.Left, style)
	}
	if d.l.left+d.l.shownCols < d.l.cols {
		d.c.Put(x, d.l.area.Y-1, d.s.Right, style)
	}
}
