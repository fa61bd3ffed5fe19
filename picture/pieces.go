package picture

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"quintet/game"
)

// Outline is a form that many shapes share, about the middle of a cell of 20 by 20.
type Outline struct {
	name   string // its identifier in SVG
	data   string // path data
	lines  [][]Point
	lo, hi Point // the corners of the box around it
}

// unit is the length of a unit of the pages' drawings, whose cells have 20.
const unit = cell / 20

// piecesJSON has the shapes and fills of pieces. The pages draw theirs from it, too.
//
//go:embed pieces.json
var piecesJSON []byte

// stoneColours are the colours that pieces.json names: those of the pages by day
// (web/ui/look.css).
var stoneColours = map[string]string{
	"one": "#1a1c20", "one-light": "#62676f", "one-rim": "#4a4f57", "one-groove": "#08090b", "one-edge": "#0a0b0d",
	"two": "#f3f0e6", "two-light": "#ffffff", "two-rim": "#c9c3b2", "two-groove": "#ddd7c8", "two-edge": "#454034",
}

// style is how stones of one colour and men of the other are drawn.
type style struct {
	name              string // of the side in pieces.json
	edge              color.RGBA
	edgeWidth         float64    // of stones, in units
	outline, detail   color.RGBA // of chess pieces
	outlineWidth      float64
	shadowOfFlatDiscs string
}

// styles are the styles of dark stones with light men, and of light stones with dark men: those
// of the pages (web/ui/board.css).
var styles = [2]style{
	{name: "one", edge: mustParse(stoneColours["one-edge"]), edgeWidth: 0.4, outline: color.RGBA{0x2a, 0x24, 0x1d, 0xff}, detail: color.RGBA{0x2a, 0x24, 0x1d, 0xff}, outlineWidth: 1.5, shadowOfFlatDiscs: "under-one"},
	{name: "two", edge: mustParse(stoneColours["two-edge"]), edgeWidth: 0.3, outline: color.RGBA{0xf5, 0xed, 0xdc, 0xff}, detail: color.RGBA{0xe8, 0xdc, 0xc6, 0xff}, outlineWidth: 1.3, shadowOfFlatDiscs: "under-two"},
}

// pieceSet is the decoded pieces.json.
type pieceSet struct {
	bodies, lines map[byte]*Outline
	gradients     map[string]*Gradient
}

// pieces is the decoded pieces.json.
var pieces = mustDecode(piecesJSON)

// mustDecode decodes a file that is part of the program: a mistake in it fails every test
// of the package.
func mustDecode(data []byte) *pieceSet {
	set, err := decodePieces(data)
	if err != nil {
		panic(err)
	}
	return set
}

func decodePieces(data []byte) (*pieceSet, error) {
	var file struct {
		Men    map[string]struct{ Body, Lines string }
		Stones map[string][][2]any
		Shades map[string]string
		Sides  map[string][2]string
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("reading the pieces: %w", err)
	}
	set := &pieceSet{map[byte]*Outline{}, map[byte]*Outline{}, map[string]*Gradient{}}
	for kind, man := range file.Men {
		var err error
		if set.bodies[kind[0]], err = newOutline("body-"+kind, man.Body); err != nil {
			return nil, err
		}
		if set.lines[kind[0]], err = newOutline("lines-"+kind, man.Lines); err != nil {
			return nil, err
		}
	}
	for name, stops := range file.Stones {
		g := &Gradient{name: name, center: Point{0.36, 0.3}, focus: Point{0.36, 0.3}, radius: 0.78}
		if strings.HasPrefix(name, "disc") {
			g.center, g.focus, g.radius = Point{0.5, 0.5}, Point{0.42, 0.38}, 0.5
		}
		for _, s := range stops {
			at, _ := s[0].(float64)
			name, _ := s[1].(string)
			g.stops = append(g.stops, opaque(at, stoneColours[name]))
		}
		set.gradients[name] = g
	}
	for name, under := range file.Shades {
		set.gradients[name] = shadow(name, under)
	}
	for name, c := range file.Sides {
		set.gradients[name] = &Gradient{name: name, to: Point{0.3, 1}, stops: []stop{opaque(0, c[0]), opaque(1, c[1])}}
	}
	return set, nil
}

func newOutline(name, data string) (*Outline, error) {
	lines, err := parsePath(data)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	o := &Outline{name: name, data: data, lines: lines}
	o.lo, o.hi = bounds(lines)
	return o, nil
}

// shadow returns a shadow around a disc, with the edge of what throws it if that has a
// colour.
func shadow(name, under string) *Gradient {
	g := &Gradient{name: name, center: Point{0.5, 0.5}, focus: Point{0.5, 0.5}, radius: 0.5}
	black := func(at, opacity float64) stop { return stop{at, color.NRGBA{A: uint8(opacity*255 + 0.5)}} }
	if under == "" {
		g.stops = []stop{black(0.66, 0.6), black(1, 0)}
	} else {
		g.stops = []stop{opaque(0.86, under), black(0.9, 0.36), black(1, 0)}
	}
	return g
}

func opaque(at float64, hex string) stop { return stop{at, color.NRGBA(mustParse(hex))} }

// mustParse parses a colour such as #1a1c20.
func mustParse(hex string) color.RGBA {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 24)
	if err != nil {
		panic(fmt.Sprintf("colour %q: expected # and six hexadecimal digits", hex))
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}

// stone draws a stone, or a flat disc, about a point.
func (p *painter) stone(x, y float64, s game.Side) {
	st, set := styles[(s^p.look.Dark())&1], pieces
	shade, fill := "shade", "stone-"+st.name
	if p.look.Set == game.Discs {
		shade, fill = st.shadowOfFlatDiscs, "disc-"+st.name
	}
	p.add(Shape{X: x + 0.4*unit, Y: y + unit, Radius: 9.4 * unit, Paint: set.gradients[shade]})
	p.add(Shape{X: x, Y: y, Radius: 8 * unit, Paint: set.gradients[fill], Line: st.edge, Width: st.edgeWidth * unit})
}

// chessPiece draws a piece about a point; one without a shape is a stone with its letter.
func (p *painter) chessPiece(x, y float64, c game.Piece) {
	st, set := styles[(c.Side^p.look.Dark()^1)&1], pieces
	body, known := set.bodies[c.Kind]
	if !known {
		p.stone(x, y, c.Side)
		p.text(x, y, 0.5*cell, string(rune(c.Kind)), st.edge)
		return
	}
	p.add(Shape{X: x, Y: y, Outline: body, Scale: unit, Paint: set.gradients["man-"+st.name], Line: st.outline, Width: st.outlineWidth * unit, Under: true})
	p.add(Shape{X: x, Y: y, Outline: set.lines[c.Kind], Scale: unit, Line: st.detail, Width: 0.75 * unit})
}
