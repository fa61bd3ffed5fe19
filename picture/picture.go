// Package picture draws any game.Board as SVG, PNG or an animated GIF.
//
// Start with [Of], which turns a board into a [Drawing], a list of shapes from back
// to front; [Drawing.SVG] and [Drawing.Image] render it, and [PNG] and [GIF] write
// files. All formats draw the same shapes, so that they look alike.
//
// The package works for every game: pieces named by the letters of chess have shapes,
// others show their letter. Their shapes and fills are those of the pages (pieces.json).
// The last move has corners around its cells, pits have a cross, and the score is below the board.
package picture

import (
	"image/color"

	"quintet/game"
)

// Options configure a picture.
type Options struct {
	Look  game.Look   // of the game
	Last  []game.Cell // cells of the last move, to be marked
	Title string      // alternative text
}

// Drawing is a list of shapes on a canvas, in units.
type Drawing struct {
	Width, Height float64
	Title         string
	Shapes        []Shape
}

// Shape is a circle if Radius is set, a text if Text is set, an outline if Outline is set,
// else a closed or open polygon. Equal shapes look alike.
type Shape struct {
	X, Y    float64 // center of a circle, a text or an outline
	Radius  float64
	Text    string
	Size    float64 // height of the text's line
	Outline *Outline
	Scale   float64 // of the outline
	Points  [4]Point
	Corners int  // how many of Points are of the polygon
	Open    bool // do not join the last point to the first

	Fill  color.RGBA // none if it is transparent
	Paint *Gradient  // instead of Fill, for circles and outlines
	Line  color.RGBA // around the shape; none if it is transparent
	Width float64    // of the line
	Under bool       // the line is below the fill
}

// Point is a point of a drawing; y grows downwards.
type Point struct{ X, Y float64 }

// cell is the width of a cell in units.
const cell = 100.0

// The colours: those of the boards on the pages, by day (web/ui/look.css).
var (
	none   = color.RGBA{}
	ink    = color.RGBA{0x22, 0x22, 0x22, 0xff}
	paper  = color.RGBA{0xfa, 0xf8, 0xf3, 0xff}
	frame  = color.RGBA{0x7a, 0x57, 0x36, 0xff}
	label  = color.RGBA{0xfb, 0xee, 0xd6, 0xff} // of a column or row, on the frame
	accent = color.RGBA{0xd9, 0x3a, 0x1e, 0xff}
	halo   = color.RGBA{0xff, 0xf6, 0xd8, 0xff}
)

// ground is the look of a board without pieces.
type ground struct {
	pale, dark color.RGBA // of alternating cells
	edge       color.RGBA // of the lines between cells; none without them
	dots       bool       // where lines cross two cells from the corners
	pit, cross color.RGBA // of a pit
}

// grounds are the grounds of boards.
var grounds = map[game.Ground]ground{
	game.Wood:      {pale: color.RGBA{0xe9, 0xd3, 0xa6, 0xff}, dark: color.RGBA{0xdf, 0xc5, 0x92, 0xff}, edge: color.RGBA{0x7a, 0x5a, 0x2c, 0xff}, pit: color.RGBA{0x3a, 0x2a, 0x15, 0xff}, cross: color.RGBA{0xd9, 0xbd, 0x88, 0xff}},
	game.Felt:      {pale: color.RGBA{0x2f, 0x8a, 0x5b, 0xff}, dark: color.RGBA{0x2f, 0x8a, 0x5b, 0xff}, edge: color.RGBA{0x0d, 0x3a, 0x24, 0xff}, dots: true, pit: color.RGBA{0x0d, 0x24, 0x19, 0xff}, cross: color.RGBA{0x86, 0xc2, 0xa3, 0xff}},
	game.Slate:     {pale: color.RGBA{0xae, 0xbf, 0xc4, 0xff}, dark: color.RGBA{0x9f, 0xb2, 0xb8, 0xff}, edge: color.RGBA{0x3d, 0x52, 0x59, 0xff}, pit: color.RGBA{0x26, 0x34, 0x3a, 0xff}, cross: color.RGBA{0xc3, 0xd2, 0xd6, 0xff}},
	game.Chequered: {pale: color.RGBA{0xf0, 0xe0, 0xc2, 0xff}, dark: color.RGBA{0xb5, 0x8a, 0x5f, 0xff}, pit: color.RGBA{0x3a, 0x2a, 0x15, 0xff}, cross: color.RGBA{0xd9, 0xbd, 0x88, 0xff}},
	game.Bamboo:    {pale: color.RGBA{0xe8, 0xc4, 0x81, 0xff}, dark: color.RGBA{0xe8, 0xc4, 0x81, 0xff}, edge: ink, pit: color.RGBA{0x3a, 0x2a, 0x15, 0xff}, cross: color.RGBA{0xd9, 0xbd, 0x88, 0xff}},
}

// Of draws a board.
func Of(b game.Board, o Options) Drawing {
	p := &painter{board: b, look: o.Look, ground: grounds[o.Look.Ground]}
	margin, foot := p.margin(), 1.5*p.note() // also without a score, so that all pictures of a game have the same size
	p.left, p.top = margin, margin
	rows, cols := float64(len(b.Rows)), float64(len(b.Cols))
	d := Drawing{Width: p.left + cols*cell + margin, Height: p.top + rows*cell + margin + foot, Title: o.Title}
	p.rect(0, 0, d.Width, d.Height, paper)
	p.rect(0, 0, d.Width, d.Height-foot, frame)
	p.background()
	for i := range b.Cells {
		p.piece(i)
	}
	for _, c := range o.Last {
		p.mark(int(c))
	}
	p.labels()
	p.score(d.Width/2, d.Height-foot/2)
	d.Shapes = p.shapes
	return d
}

// painter collects shapes.
type painter struct {
	board     game.Board
	look      game.Look
	ground    ground
	left, top float64
	shapes    []Shape
}

// margin returns the space for labels. Large boards, which are displayed smaller,
// have larger labels.
func (p *painter) margin() float64 {
	if len(p.board.Cols) > 12 {
		return 0.95 * cell
	}
	return 0.75 * cell
}

// note returns the font size of the score, larger on large boards to stay readable.
func (p *painter) note() float64 { return max(0.42*cell, float64(len(p.board.Cols))*cell/26) }

func (p *painter) add(s Shape) { p.shapes = append(p.shapes, s) }

// rectangle returns the corners of a rectangle.
func rectangle(left, top, right, bottom float64) [4]Point {
	return [4]Point{{left, top}, {right, top}, {right, bottom}, {left, bottom}}
}

func (p *painter) rect(x, y, w, h float64, fill color.RGBA) {
	p.add(Shape{Points: rectangle(x, y, x+w, y+h), Corners: 4, Fill: fill})
}

func (p *painter) line(x1, y1, x2, y2, width float64, c color.RGBA) {
	p.add(Shape{Points: [4]Point{{x1, y1}, {x2, y2}}, Corners: 2, Open: true, Line: c, Width: width})
}

func (p *painter) disc(x, y, radius float64, fill, line color.RGBA, width float64) {
	p.add(Shape{X: x, Y: y, Radius: radius, Fill: fill, Line: line, Width: width})
}

func (p *painter) text(x, y, size float64, text string, fill color.RGBA) {
	p.add(Shape{X: x, Y: y, Size: size, Text: text, Fill: fill})
}

// corner returns the top left corner of a cell.
func (p *painter) corner(i int) (x, y float64) {
	cols := len(p.board.Cols)
	return p.left + float64(i%cols)*cell, p.top + float64(i/cols)*cell
}

// background draws the board without pieces.
func (p *painter) background() {
	g := p.ground
	rows, cols := len(p.board.Rows), len(p.board.Cols)
	right, bottom := p.left+float64(cols)*cell, p.top+float64(rows)*cell
	p.rect(p.left, p.top, right-p.left, bottom-p.top, g.pale)
	if p.board.Points {
		p.lines(0.5, g.edge)
		return
	}
	for i := range p.board.Cells {
		if (i/cols+i%cols)%2 == 1 && g.dark != g.pale {
			x, y := p.corner(i)
			p.rect(x, y, cell, cell, g.dark)
		}
	}
	if g.edge != none {
		p.lines(1, g.edge)
	}
	if g.dots && rows == cols && rows >= 6 {
		for i := range 4 {
			x, y := 2+float64(i%2*(cols-4)), 2+float64(i/2*(rows-4))
			p.disc(p.left+x*cell, p.top+y*cell, 8, g.edge, none, 0)
		}
	}
	p.add(Shape{Points: rectangle(p.left, p.top, right, bottom), Corners: 4, Line: ink, Width: 5})
}

// lines draws the lines of the board, the first one from cells from the edge: half a cell
// where pieces stand on intersections, a whole one where they stand between the lines.
func (p *painter) lines(from float64, c color.RGBA) {
	rows, cols := float64(len(p.board.Rows)), float64(len(p.board.Cols))
	end := 0.0 // lines between cells reach the edge
	if from < 1 {
		end = from
	}
	for y := from; y < rows; y++ {
		p.line(p.left+end*cell, p.top+y*cell, p.left+(cols-end)*cell, p.top+y*cell, 3, c)
	}
	for x := from; x < cols; x++ {
		p.line(p.left+x*cell, p.top+end*cell, p.left+x*cell, p.top+(rows-end)*cell, 3, c)
	}
}

// piece draws the piece on a cell.
func (p *painter) piece(i int) {
	x, y := p.corner(i)
	switch c := p.board.Cells[i]; c.Kind {
	case game.Empty:
	case game.Pit:
		p.rect(x+5, y+5, cell-10, cell-10, p.ground.pit)
		p.line(x+30, y+30, x+70, y+70, 5.5, p.ground.cross)
		p.line(x+70, y+30, x+30, y+70, 5.5, p.ground.cross)
	case game.Stone:
		p.stone(x+cell/2, y+cell/2, c.Side)
	default:
		p.chessPiece(x+cell/2, y+cell/2, c)
	}
}

// mark draws corners around a cell of the last move.
func (p *painter) mark(i int) {
	if i < 0 || i >= len(p.board.Cells) {
		return
	}
	x, y := p.corner(i)
	const near, arm, far = 5.0, 22.0, cell - 5.0
	for _, c := range [][3]Point{
		{{near, near + arm}, {near, near}, {near + arm, near}},
		{{far - arm, near}, {far, near}, {far, near + arm}},
		{{far, far - arm}, {far, far}, {far - arm, far}},
		{{near + arm, far}, {near, far}, {near, far - arm}},
	} {
		s := Shape{Corners: len(c), Open: true, Line: halo, Width: 15}
		for k, q := range c {
			s.Points[k] = Point{x + q.X, y + q.Y}
		}
		p.add(s)
		s.Line, s.Width = accent, 9
		p.add(s)
	}
}

// labels writes the names of the columns and rows on all sides.
func (p *painter) labels() {
	size, away := 0.6*p.margin(), p.margin()/2
	right := p.left + float64(len(p.board.Cols))*cell
	bottom := p.top + float64(len(p.board.Rows))*cell
	for i, text := range p.board.Cols {
		x := p.left + (float64(i)+0.5)*cell
		p.text(x, p.top-away, size, text, label)
		p.text(x, bottom+away, size, text, label)
	}
	for i, text := range p.board.Rows {
		y := p.top + (float64(i)+0.5)*cell
		p.text(p.left-away, y, size, text, label)
		p.text(right+away, y, size, text, label)
	}
}
