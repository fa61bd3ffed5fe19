package grid

import (
	"quintet/game"
	"quintet/tui/look"
)

// Mark is what is to be seen of a cell beside the piece on it.
type Mark struct {
	Cursor, Chosen, Last, Target, Hint, Threat, Group bool

	Text string // a value, up to four characters
	Rank rune   // one character in its place where cells are small; 0 for none
}

// Dark returns the side of a game whose pieces are dark: the one that is called
// Black, or else the first.
func Dark(g game.Game) game.Side {
	if g.Sides[game.Second] == "Black" {
		return game.Second
	}
	return game.First
}

// Draw returns the lines of the view. Dark is the side whose pieces are dark.
func (v View) Draw(b game.Board, marks map[game.Cell]Mark, dark game.Side, l look.Look) string {
	w, h := v.Size()
	p := painter{View: v, board: b, dark: dark, look: l, canvas: look.NewCanvas(w, h)}
	p.labels()
	p.ground()
	for row := range v.Height {
		for col := range v.Width {
			c := game.Cell((v.Top+row)*v.Cols + v.Left + col)
			p.cell(row, col, b.At(v.Top+row, v.Left+col), marks[c])
		}
	}
	return p.canvas.Render(l)
}

// painter draws one view.
type painter struct {
	View
	board  game.Board
	dark   game.Side
	look   look.Look
	canvas *look.Canvas
}

// labels writes the names of rows and columns, and arrows where there is more.
func (p *painter) labels() {
	for row := range p.Height {
		_, y := p.middle(row, 0)
		text := p.board.Rows[p.Top+row]
		p.canvas.Write(p.gutter-1-len(text), y, text, look.Label, look.Plain)
	}
	for col := range p.Width {
		x, _ := p.middle(0, col)
		p.canvas.Write(x, 0, p.board.Cols[p.Left+col], look.Label, look.Plain)
	}
	more := [4]bool{p.Top > 0, p.Top+p.Height < p.Rows, p.Left > 0, p.Left+p.Width < p.Cols}
	w, h := p.Size()
	at := [4][2]int{{0, 1}, {0, h - 1}, {p.gutter, 0}, {w - 1, 0}}
	for i, arrow := range p.look.Glyphs.Arrows {
		if more[i] {
			p.canvas.Set(at[i][0], at[i][1], arrow, look.Key, look.Plain)
		}
	}
}

// ground draws the board without anything on it.
func (p *painter) ground() {
	w, h := p.Size()
	p.canvas.Fill(p.gutter, 1, w-p.gutter, h-1, look.Board)
	switch {
	case p.Points:
		p.crossings()
	case p.Scale != Small:
		p.squares()
	}
}

// place is 0 at the first of some lines, 2 at the last and 1 between.
func place(i, last int) int {
	switch i {
	case 0:
		return 0
	case last:
		return 2
	}
	return 1
}

// squares draws the lines around cells.
func (p *painter) squares() {
	dx, dy := p.step()
	across, down := p.look.Glyphs.Lines()
	for y := 0; y <= p.Height*dy; y++ {
		for x := 0; x <= p.Width*dx; x++ {
			r := ' '
			switch {
			case y%dy == 0 && x%dx == 0:
				r = p.look.Glyphs.Crossing(place(y/dy, p.Height), place(x/dx, p.Width))
			case y%dy == 0:
				r = across
			case x%dx == 0:
				r = down
			}
			p.canvas.Set(p.gutter+x, 1+y, r, look.Line, look.Board)
		}
	}
}

// crossings draws lines through the middles of cells.
func (p *painter) crossings() {
	_, dy := p.step()
	across, down := p.look.Glyphs.Lines()
	x0, y0 := p.middle(0, 0)
	x1, y1 := p.middle(p.Height-1, p.Width-1)
	dx, _ := p.step()
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			row, col := p.edge((y-y0)/dy, p.Top, p.Rows), p.edge((x-x0)/dx, p.Left, p.Cols)
			r := ' '
			switch {
			case (y-y0)%dy == 0 && (x-x0)%dx == 0:
				r = p.look.Glyphs.Crossing(row, col)
			case (y-y0)%dy == 0:
				r = across
			case (x-x0)%dx == 0:
				r = down
			}
			p.canvas.Set(x, y, r, look.Line, look.Board)
		}
	}
}

// edge is the place of a line of the view among all lines of the board.
func (p *painter) edge(i, before, all int) int { return place(before+i, all-1) }

// cell draws what stands on a cell, and its marks.
func (p *painter) cell(row, col int, piece game.Piece, m Mark) {
	ground := m.ground()
	x, y := p.middle(row, col)
	if p.Scale == Large {
		p.large(x, y, piece, ground)
	} else if ground != look.Board && !p.Points && p.Scale == Medium {
		p.canvas.Fill(x-1, y, 3, 1, ground)
	}
	if r, role := p.shape(piece, m); r != 0 {
		p.canvas.Set(x, y, r, role, ground)
	}
	if left, right := m.brackets(); left != 0 {
		d := 1
		if p.Scale == Large {
			d = 3
		}
		role := look.Value
		if m.Cursor {
			role = look.Cursor
		}
		p.canvas.Set(x-d, y, left, role, ground)
		p.canvas.Set(x+d, y, right, role, ground)
	}
	if m.Text != "" && p.Scale != Small && piece.Kind == game.Empty {
		p.text(x, y, m.Text, ground)
	}
}

// text writes a value over the middle of a cell.
func (p *painter) text(x, y int, text string, ground look.Role) {
	r := []rune(text)
	start := x - len(r)/2
	p.canvas.Write(start, y, text, look.Value, ground)
}

// shape returns the character for a piece, or for what may be played on an empty
// cell; 0 where the lines of the board are seen.
func (p *painter) shape(piece game.Piece, m Mark) (rune, look.Role) {
	g := p.look.Glyphs
	switch {
	case piece.Kind == game.Pit:
		return g.Shape(piece.Kind, true), look.Pit
	case piece.Kind == game.Stone && p.Scale == Large:
		return 0, 0 // its body says all
	case piece.Kind != game.Empty:
		return g.Shape(piece.Kind, p.isDark(piece)), p.role(piece)
	case m.Rank != 0 && p.Scale == Small:
		return m.Rank, look.Value
	case m.Target || m.Hint:
		return g.Dot, look.Target
	case m.Threat:
		return '!', look.Value
	case p.Points:
		return 0, 0
	case p.Scale == Small:
		return g.Empty, look.Line
	}
	return ' ', look.Plain
}

// large draws the body of a piece of five by three characters.
func (p *painter) large(x, y int, piece game.Piece, ground look.Role) {
	p.canvas.Fill(x-3, y-1, 7, 3, ground)
	switch piece.Kind {
	case game.Empty:
		return
	case game.Pit:
		for i := range 3 {
			for j := range 7 {
				p.canvas.Set(x-3+j, y-1+i, p.look.Glyphs.Shape(piece.Kind, true), look.Pit, ground)
			}
		}
		return
	}
	for i, line := range p.look.Glyphs.Body(piece.Kind, p.isDark(piece)) {
		p.canvas.Write(x-2, y-1+i, line, p.role(piece), ground)
	}
}

func (p *painter) isDark(piece game.Piece) bool { return piece.Side == p.dark }

func (p *painter) role(piece game.Piece) look.Role {
	if p.isDark(piece) {
		return look.Black
	}
	return look.White
}

// ground is the ground that the most important mark gives a cell.
func (m Mark) ground() look.Role {
	switch {
	case m.Cursor:
		return look.Cursor
	case m.Chosen:
		return look.Chosen
	case m.Hint:
		return look.Hint
	case m.Threat:
		return look.Threat
	case m.Last:
		return look.Last
	case m.Group:
		return look.Group
	case m.Target:
		return look.Target
	}
	return look.Board
}

// brackets are the marks of a cell without colours; 0 for none.
func (m Mark) brackets() (left, right rune) {
	switch {
	case m.Cursor:
		return '[', ']'
	case m.Chosen:
		return '<', '>'
	case m.Hint:
		return '?', '?'
	case m.Threat:
		return '!', '!'
	case m.Last:
		return '(', ')'
	case m.Group:
		return '{', '}'
	}
	return 0, 0
}
