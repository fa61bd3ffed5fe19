package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// Gradient is a fill whose colour changes along a line, or from a focus to a circle. Its
// points and its radius are parts of the box around the shape, as in SVG.
type Gradient struct {
	name     string
	from, to Point   // of a linear gradient
	center   Point   // of a radial one
	focus    Point   // where it begins
	radius   float64 // 0 for a linear one
	stops    []stop
}

// stop is a colour at a part of the way.
type stop struct {
	at    float64
	color color.NRGBA
}

// svg returns the element that defines the gradient.
func (g *Gradient) svg() string {
	element, b := "linearGradient", fmt.Appendf(nil, ` x1="%s" y1="%s" x2="%s" y2="%s"`, number(g.from.X), number(g.from.Y), number(g.to.X), number(g.to.Y))
	if g.radius > 0 {
		element = "radialGradient"
		b = fmt.Appendf(nil, ` cx="%s" cy="%s" r="%s" fx="%s" fy="%s"`, number(g.center.X), number(g.center.Y), number(g.radius), number(g.focus.X), number(g.focus.Y))
	}
	b = fmt.Appendf(nil, `<%s id="%s"%s>`, element, g.name, b)
	for _, s := range g.stops {
		b = fmt.Appendf(b, `<stop offset="%s" stop-color="#%02x%02x%02x"`, number(s.at), s.color.R, s.color.G, s.color.B)
		if s.color.A < 255 {
			b = fmt.Appendf(b, ` stop-opacity="%s"`, number(float64(s.color.A)/255))
		}
		b = append(b, "/>"...)
	}
	return string(fmt.Appendf(b, "</%s>\n", element))
}

// at returns the part of the way at a point of the box around the shape.
func (g *Gradient) at(p Point) float64 {
	if g.radius == 0 {
		dx, dy := g.to.X-g.from.X, g.to.Y-g.from.Y
		return ((p.X-g.from.X)*dx + (p.Y-g.from.Y)*dy) / (dx*dx + dy*dy)
	}
	// The circle through p whose center and radius are the same part of the way from
	// the focus to the whole circle.
	dx, dy := p.X-g.focus.X, p.Y-g.focus.Y
	ex, ey := g.center.X-g.focus.X, g.center.Y-g.focus.Y
	a, b := g.radius*g.radius-ex*ex-ey*ey, dx*ex+dy*ey
	return (math.Sqrt(b*b+a*(dx*dx+dy*dy)) - b) / a
}

// shades is the number of colours of a table.
const shades = 256

// table returns the colours along the way, not multiplied by their opacity.
func (g *Gradient) table() (list [shades]color.NRGBA) {
	for i := range list {
		t, next := float64(i)/(shades-1), 0
		for next < len(g.stops) && g.stops[next].at < t {
			next++
		}
		b := g.stops[min(next, len(g.stops)-1)]
		a := g.stops[max(next-1, 0)]
		part := 1.0
		if b.at > a.at {
			part = min((t-a.at)/(b.at-a.at), 1)
		}
		mix := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*part + 0.5) }
		list[i] = color.NRGBA{mix(a.color.R, b.color.R), mix(a.color.G, b.color.G), mix(a.color.B, b.color.B), mix(a.color.A, b.color.A)}
	}
	return list
}

// paint blends the gradient over an opaque image where a mask, which begins at a corner
// of the image, covers it. lo and hi are the corners of the box around the shape.
func (g *Gradient) paint(img *image.RGBA, mask *image.Alpha, corner image.Point, lo, hi Point, scale float64) {
	colours := g.table()
	wide, high := hi.X-lo.X, hi.Y-lo.Y
	for y := range mask.Rect.Dy() {
		for x := range mask.Rect.Dx() {
			cover := uint32(mask.Pix[y*mask.Stride+x])
			if cover == 0 {
				continue
			}
			p := Point{((float64(corner.X+x)+0.5)/scale - lo.X) / wide, ((float64(corner.Y+y)+0.5)/scale - lo.Y) / high}
			c := colours[int(min(max(g.at(p), 0), 1)*(shades-1)+0.5)]
			part := cover * uint32(c.A) / 255
			pix := img.Pix[img.PixOffset(corner.X+x, corner.Y+y):][:4:4]
			for i, v := range [3]uint8{c.R, c.G, c.B} {
				pix[i] = uint8((uint32(pix[i])*(255-part) + uint32(v)*part + 127) / 255)
			}
			pix[3] = uint8((uint32(pix[3])*(255-part) + 255*part + 127) / 255)
		}
	}
}
