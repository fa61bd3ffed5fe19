package picture

import (
	"image/color"

	"quintet/game"
)

// pieceShape is a part of a chess piece's shape: a circle or a polygon.
type pieceShape struct {
	x, y, r float64
	points  []Point
}

// base is the base of most pieces.
var base = pieceShape{points: []Point{{22, 90}, {22, 82}, {28, 77}, {72, 77}, {78, 82}, {78, 90}}}

// pieceShapes are the shapes of the chess pieces.
var pieceShapes = map[byte][]pieceShape{
	'P': {
		{x: 50, y: 33, r: 14}, {points: []Point{{40, 46}, {60, 46}, {68, 77}, {32, 77}}},
		{points: []Point{{36, 44}, {64, 44}, {64, 50}, {36, 50}}}, base,
	},
	'R': {
		{points: []Point{{27, 16}, {37, 16}, {37, 24}, {45, 24}, {45, 16}, {55, 16}, {55, 24}, {63, 24}, {63, 16}, {73, 16}, {73, 36}, {66, 42}, {34, 42}, {27, 36}}},
		{points: []Point{{36, 42}, {64, 42}, {68, 77}, {32, 77}}}, base,
	},
	'N': {
		{points: []Point{
			{32, 77}, {36, 62}, {46, 50}, {37, 51}, {30, 58}, {20, 55}, {19, 46}, {32, 28}, {35, 20}, {37, 11}, {46, 18},
			{58, 20}, {68, 30}, {74, 46}, {74, 62}, {72, 77},
		}}, base,
	},
	'B': {
		{x: 50, y: 14, r: 6}, {points: []Point{{50, 18}, {60, 28}, {66, 40}, {65, 50}, {60, 57}, {40, 57}, {35, 50}, {34, 40}, {40, 28}}},
		{points: []Point{{34, 57}, {66, 57}, {66, 64}, {34, 64}}}, {points: []Point{{42, 64}, {58, 64}, {68, 77}, {32, 77}}}, base,
	},
	'Q': {
		{x: 14, y: 27, r: 6}, {x: 32, y: 19, r: 6}, {x: 50, y: 15, r: 6}, {x: 68, y: 19, r: 6}, {x: 86, y: 27, r: 6},
		{points: []Point{{14, 29}, {30, 50}, {32, 22}, {44, 47}, {50, 18}, {56, 47}, {68, 22}, {70, 50}, {86, 29}, {75, 68}, {25, 68}}},
		{points: []Point{{26, 68}, {74, 68}, {70, 77}, {30, 77}}}, base,
	},
	'K': {
		{points: []Point{{46, 6}, {54, 6}, {54, 13}, {61, 13}, {61, 21}, {54, 21}, {54, 32}, {46, 32}, {46, 21}, {39, 21}, {39, 13}, {46, 13}}},
		{points: []Point{{50, 30}, {58, 36}, {72, 34}, {82, 42}, {82, 52}, {73, 68}, {27, 68}, {18, 52}, {18, 42}, {28, 34}, {42, 36}}},
		{points: []Point{{27, 68}, {73, 68}, {70, 77}, {30, 77}}}, base,
	},
}

// pieceDetails are lines on pieces that make them easier to distinguish.
var pieceDetails = map[byte][][]Point{
	'B': {{{50, 28}, {50, 46}}, {{42, 36}, {58, 36}}},
	'N': {{{37, 31}, {41, 31}}},
	'K': {{{50, 42}, {50, 66}}},
	'R': {{{36, 42}, {64, 42}}},
	'Q': {{{29, 60}, {71, 60}}},
}

// chessPiece draws a piece on the cell with its top left at x and y: light with dark
// lines for the first side, the reverse for the second.
func (p *painter) chessPiece(x, y float64, c game.Piece) {
	fill, line := white, ink
	if c.Side == game.Second {
		fill, line = black, white
	}
	parts, known := pieceShapes[c.Kind]
	if !known {
		p.stone(x+cell/2, y+cell/2, c.Side)
		p.text(x+cell/2, y+cell/2, 0.5*cell, string(rune(c.Kind)), line)
		return
	}
	// Draw a dark outline first, so that light and dark pieces stand out from light
	// and dark cells.
	p.pieceParts(x, y, parts, none, ink, 9)
	if c.Side == game.Second {
		p.pieceParts(x, y, parts, none, line, 5)
		p.pieceParts(x, y, parts, fill, fill, 1)
	} else {
		p.pieceParts(x, y, parts, fill, none, 0)
	}
	for _, d := range pieceDetails[c.Kind] {
		p.add(Shape{Points: translate(d, x, y), Open: true, Line: line, Width: 4})
	}
}

// pieceParts draws all parts of a piece in one style.
func (p *painter) pieceParts(x, y float64, parts []pieceShape, fill, line color.RGBA, width float64) {
	for _, q := range parts {
		if q.r > 0 {
			p.disc(x+q.x, y+q.y, q.r, fill, line, width)
			continue
		}
		p.add(Shape{Points: translate(q.points, x, y), Fill: fill, Line: line, Width: width})
	}
}

// translate returns the points moved by x and y.
func translate(points []Point, x, y float64) []Point {
	list := make([]Point, len(points))
	for i, q := range points {
		list[i] = Point{x + q.X, y + q.Y}
	}
	return list
}
