package picture

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// parsePath reads SVG path data as polygons: the commands M, L, H, V, C, Q, Z, and A for
// arcs of circles. Curves become lines.
func parsePath(data string) ([][]Point, error) {
	r := pathReader{rest: data}
	for r.skip(); r.rest != "" && r.err == nil; r.skip() {
		if c := r.rest[0]; strings.IndexByte("MLHVCQAZ", c&^0x20) >= 0 {
			r.command, r.rest = c, r.rest[1:]
		}
		r.draw()
	}
	if r.err != nil {
		return nil, fmt.Errorf("path data before %.20q: %w", r.rest, r.err)
	}
	return r.lines, nil
}

// pathReader reads path data.
type pathReader struct {
	rest    string
	command byte
	at      Point
	lines   [][]Point
	err     error
}

// skip skips what separates numbers.
func (r *pathReader) skip() { r.rest = strings.TrimLeft(r.rest, " ,") }

// numberText is a number at the beginning of a text.
var numberText = regexp.MustCompile(`^-?[0-9]*\.?[0-9]*`)

// number reads a number. Numbers need no separator where a sign or a second point begins
// the next one.
func (r *pathReader) number() float64 {
	r.skip()
	text := numberText.FindString(r.rest)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && r.err == nil {
		r.err = err
	}
	r.rest = r.rest[len(text):]
	return x
}

// coordinate reads a coordinate; in small letters, it is relative to that of the current point.
func (r *pathReader) coordinate(current float64) float64 {
	if r.command >= 'a' {
		return r.number() + current
	}
	return r.number()
}

func (r *pathReader) point() Point { return Point{r.coordinate(r.at.X), r.coordinate(r.at.Y)} }

// draw draws one segment of the current command.
func (r *pathReader) draw() {
	switch r.command &^ 0x20 {
	case 'M':
		r.at = r.point()
		r.lines = append(r.lines, []Point{r.at})
		r.command -= 'M' - 'L' // further points are lines
	case 'L':
		r.line(r.point())
	case 'H':
		r.line(Point{r.coordinate(r.at.X), r.at.Y})
	case 'V':
		r.line(Point{r.at.X, r.coordinate(r.at.Y)})
	case 'C':
		r.curve(r.at, r.point(), r.point(), r.point())
	case 'Q':
		a, b, c := r.at, r.point(), r.point()
		r.curve(a, between(a, b), between(c, b), c)
	case 'A':
		r.arc()
	case 'Z':
		r.close()
	default:
		r.err = fmt.Errorf("command %q: expected one of MLHVCQAZ", r.command)
	}
}

// between returns the point two thirds of the way from a to b: a control point of the
// cubic curve that equals a quadratic one.
func between(a, b Point) Point { return Point{a.X + (b.X-a.X)*2/3, a.Y + (b.Y-a.Y)*2/3} }

// line draws a line to a point.
func (r *pathReader) line(p Point) {
	if len(r.lines) == 0 {
		r.lines = append(r.lines, []Point{r.at})
	}
	last := len(r.lines) - 1
	r.lines[last], r.at = append(r.lines[last], p), p
}

// close returns to the first point of the polygon.
func (r *pathReader) close() {
	if len(r.lines) > 0 {
		r.line(r.lines[len(r.lines)-1][0])
	}
	r.command = 0
}

// segments is the number of lines that stand for a curve.
const segments = 12

// curve draws a cubic Bézier curve from a to d.
func (r *pathReader) curve(a, b, c, d Point) {
	for i := 1; i <= segments; i++ {
		t := float64(i) / segments
		u := 1 - t
		mix := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
		r.line(Point{mix(a.X, b.X, c.X, d.X), mix(a.Y, b.Y, c.Y, d.Y)})
	}
}

// arc draws an arc of a circle: radius (twice), rotation, large, sweep, end.
func (r *pathReader) arc() {
	radius, second := r.number(), r.number()
	_, large, sweep := r.number(), r.number() != 0, r.number() != 0
	from, to := r.at, r.point()
	chord := math.Hypot(to.X-from.X, to.Y-from.Y)
	if radius != second || chord == 0 || r.err != nil {
		r.err = fmt.Errorf("arc with radii %g and %g over %g: expected one radius and two points", radius, second, chord)
		return
	}
	radius = max(radius, chord/2)
	height := math.Sqrt(radius*radius - chord*chord/4) // from the chord to the center
	if large == sweep {
		height = -height
	}
	center := Point{(from.X+to.X)/2 - height*(to.Y-from.Y)/chord, (from.Y+to.Y)/2 + height*(to.X-from.X)/chord}
	begin := math.Atan2(from.Y-center.Y, from.X-center.X)
	turn := math.Atan2(to.Y-center.Y, to.X-center.X) - begin
	if sweep && turn < 0 {
		turn += 2 * math.Pi
	} else if !sweep && turn > 0 {
		turn -= 2 * math.Pi
	}
	for i := 1; i < 2*segments; i++ {
		sin, cos := math.Sincos(begin + turn*float64(i)/(2*segments))
		r.line(Point{center.X + radius*cos, center.Y + radius*sin})
	}
	r.line(to)
}
