package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// MaxWidth is the largest width of an image, in pixels.
const MaxWidth = 8192

// Image renders the drawing with a width from 1 to MaxWidth pixels.
func (d Drawing) Image(width int) (*image.RGBA, error) {
	r, err := d.raster(width)
	if err != nil {
		return nil, err
	}
	return r.img, nil
}

// PNG writes the drawing as a PNG of the given width in pixels.
func PNG(out io.Writer, d Drawing, width int) error {
	img, err := d.Image(width)
	if err != nil {
		return err
	}
	if err := png.Encode(out, img); err != nil {
		return fmt.Errorf("writing a PNG: %w", err)
	}
	return nil
}

// raster draws shapes on an image.
type raster struct {
	img   *image.RGBA
	scale float64
	font  *opentype.Font
	faces map[float64]font.Face // by size
	clip  image.Rectangle       // clip rectangle; initially the whole image
	lines vector.Rasterizer     // kept for its buffers
	mask  image.Alpha           // kept for its buffer
}

// raster renders the drawing, and returns what can change it.
func (d Drawing) raster(width int) (*raster, error) {
	if width < 1 || width > MaxWidth {
		return nil, fmt.Errorf("picture of %d pixels: expected 1 to %d", width, MaxWidth)
	}
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("the font for labels: %w", err)
	}
	img := image.NewRGBA(image.Rect(0, 0, width, d.height(width)))
	r := &raster{img: img, scale: float64(width) / d.Width, font: f, faces: map[float64]font.Face{}, clip: img.Bounds()}
	for _, s := range d.Shapes {
		if err := r.shape(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// shape draws a shape: first its fill, then its line, unless that is below.
func (r *raster) shape(s Shape) error {
	if s.Text != "" {
		return r.text(s)
	}
	polygons := r.polygons(s)
	if s.Under {
		r.line(s, polygons)
	}
	switch {
	case s.Paint != nil:
		r.paint(polygons, s.Paint)
	case s.Fill.A > 0:
		r.fill(polygons, s.Fill)
	}
	if !s.Under {
		r.line(s, polygons)
	}
	return nil
}

// polygons returns the polygons of a shape that is no text.
func (r *raster) polygons(s Shape) [][]Point {
	switch {
	case s.Radius > 0:
		return [][]Point{circle(s.X, s.Y, s.Radius, r.scale)}
	case s.Outline == nil:
		return [][]Point{s.Points[:s.Corners]}
	}
	list := make([][]Point, len(s.Outline.lines))
	for i, line := range s.Outline.lines {
		for _, p := range line {
			list[i] = append(list[i], Point{s.X + s.Scale*p.X, s.Y + s.Scale*p.Y})
		}
	}
	return list
}

// line draws the line around a shape.
func (r *raster) line(s Shape, polygons [][]Point) {
	if s.Line.A == 0 || s.Width == 0 {
		return
	}
	open := s.Outline != nil || s.Open && s.Radius == 0 // an outline that is closed ends where it begins
	var all [][]Point
	for _, points := range polygons {
		all = append(all, outline(points, open, s.Width/2, r.scale)...)
	}
	r.fill(all, s.Line)
}

// circle returns a polygon that looks round at the scale.
func circle(x, y, radius, scale float64) []Point {
	n := max(12, int(2*math.Pi*math.Sqrt(radius*scale)*2))
	points := make([]Point, n)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		points[i] = Point{x + radius*cos, y + radius*sin}
	}
	return points
}

// outline returns polygons that cover the line through points: a bar for each side
// and a disc for each corner, all with the same orientation.
func outline(points []Point, open bool, half, scale float64) (polygons [][]Point) {
	n := len(points)
	for i, p := range points {
		polygons = append(polygons, circle(p.X, p.Y, half, scale))
		if open && i == n-1 {
			break
		}
		q := points[(i+1)%n]
		length := math.Hypot(q.X-p.X, q.Y-p.Y)
		if length == 0 {
			continue
		}
		dx, dy := (q.Y-p.Y)/length*half, -(q.X-p.X)/length*half
		polygons = append(polygons, []Point{{p.X + dx, p.Y + dy}, {q.X + dx, q.Y + dy}, {q.X - dx, q.Y - dy}, {p.X - dx, p.Y - dy}})
	}
	return polygons
}

// bounds returns the corners of the box around polygons.
func bounds(polygons [][]Point) (lo, hi Point) {
	lo, hi = Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, points := range polygons {
		for _, p := range points {
			lo = Point{min(lo.X, p.X), min(lo.Y, p.Y)}
			hi = Point{max(hi.X, p.X), max(hi.Y, p.Y)}
		}
	}
	return lo, hi
}

// fill fills the union of polygons, where they touch the clip.
func (r *raster) fill(polygons [][]Point, c color.RGBA) {
	if box := r.trace(polygons); !box.Empty() {
		r.lines.Draw(r.img, box, image.NewUniform(c), image.Point{})
	}
}

// paint fills the union of polygons with a gradient, where they touch the clip.
func (r *raster) paint(polygons [][]Point, g *Gradient) {
	box := r.trace(polygons)
	if box.Empty() {
		return
	}
	m := &r.mask
	m.Rect, m.Stride = image.Rect(0, 0, box.Dx(), box.Dy()), box.Dx()
	m.Pix = slices.Grow(m.Pix[:0], box.Dx()*box.Dy())[:box.Dx()*box.Dy()]
	r.lines.DrawOp = draw.Src
	r.lines.Draw(m, m.Rect, image.Opaque, image.Point{})
	lo, hi := bounds(polygons)
	g.paint(r.img, m, box.Min, lo, hi, r.scale)
}

// trace gives polygons to the rasterizer, and returns the part of the image that they
// touch within the clip.
func (r *raster) trace(polygons [][]Point) image.Rectangle {
	lo, hi := bounds(polygons)
	box := image.Rect(int(math.Floor(lo.X*r.scale)), int(math.Floor(lo.Y*r.scale)), int(math.Ceil(hi.X*r.scale))+1, int(math.Ceil(hi.Y*r.scale))+1)
	box = box.Intersect(r.clip) // what is outside costs nothing: a film redraws one cell, and lines cross the board
	if box.Empty() {
		return box
	}
	v := &r.lines
	v.Reset(box.Dx(), box.Dy())
	for _, points := range polygons {
		for i, p := range points {
			x, y := float32(p.X*r.scale-float64(box.Min.X)), float32(p.Y*r.scale-float64(box.Min.Y))
			if i == 0 {
				v.MoveTo(x, y)
			} else {
				v.LineTo(x, y)
			}
		}
		v.ClosePath()
	}
	return box
}

// text draws a text centered at its position.
func (r *raster) text(s Shape) error {
	face, ok := r.faces[s.Size]
	if !ok {
		var err error
		face, err = opentype.NewFace(r.font, &opentype.FaceOptions{Size: s.Size * r.scale, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return fmt.Errorf("a text of %.0f units: %w", s.Size, err)
		}
		r.faces[s.Size] = face
	}
	d := font.Drawer{Dst: r.img.SubImage(r.clip).(*image.RGBA), Src: image.NewUniform(s.Fill), Face: face}
	wide := float64(d.MeasureString(s.Text)) / 64
	d.Dot = fixed.Point26_6{X: fixed.Int26_6((s.X*r.scale - wide/2) * 64), Y: fixed.Int26_6((s.Y + 0.36*s.Size) * r.scale * 64)}
	d.DrawString(s.Text)
	return nil
}
