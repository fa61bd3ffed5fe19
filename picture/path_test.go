package picture

import (
	"math"
	"testing"
)

// TestParsePath checks the ends and the bounds of paths.
func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		data     string
		polygons int
		end      Point // of the last polygon
		lo, hi   Point
	}{
		{"M1 2h3v4H1z", 1, Point{1, 2}, Point{1, 2}, Point{4, 6}},
		{"M1-2l.5.5-1-1", 1, Point{0.5, -2.5}, Point{0.5, -2.5}, Point{1.5, -1.5}},
		{"M0 0q5 10 10 0", 1, Point{10, 0}, Point{0, 0}, Point{10, 5}},
		{"M0 0c0 4 8 4 8 0M20 20L21 22", 2, Point{21, 22}, Point{0, 0}, Point{21, 22}},
		{"M-2 0a2 2 0 1 0 4 0A2 2 0 1 0-2 0z", 1, Point{-2, 0}, Point{-2, -2}, Point{2, 2}},
		{"M0 0a2 2 0 0 1 2 2", 1, Point{2, 2}, Point{0, 0}, Point{2, 2}},
	} {
		lines, err := parsePath(c.data)
		if err != nil || len(lines) != c.polygons {
			t.Fatalf("%s: %d polygons, %v", c.data, len(lines), err)
		}
		last := lines[len(lines)-1]
		lo, hi := bounds(lines)
		for i, pair := range [][2]Point{{last[len(last)-1], c.end}, {lo, c.lo}, {hi, c.hi}} {
			if math.Hypot(pair[0].X-pair[1].X, pair[0].Y-pair[1].Y) > 0.02 {
				t.Errorf("%s: end, lower and upper corner number %d is %v, want %v", c.data, i, pair[0], pair[1])
			}
		}
	}
	for _, data := range []string{"1 2", "M1", "M1 2 x", "M0 0a1 2 0 0 0 1 1", "M0 0zl", "M0 0z1", "M..1 2"} {
		if lines, err := parsePath(data); err == nil {
			t.Errorf("%q was read as %v", data, lines)
		}
	}
}

// TestGradient checks colours along linear and radial gradients.
func TestGradient(t *testing.T) {
	set := pieces
	line, disc := set.gradients["man-one"], set.gradients["stone-two"]
	if a, b := line.at(line.from), line.at(line.to); a != 0 || math.Abs(b-1) > 1e-9 {
		t.Errorf("a linear gradient goes from %v to %v", a, b)
	}
	if a, b := disc.at(disc.focus), disc.at(Point{disc.center.X + disc.radius, disc.center.Y}); a != 0 || math.Abs(b-1) > 1e-9 {
		t.Errorf("a radial gradient goes from %v to %v", a, b)
	}
	flat := set.gradients["disc-one"]
	if at := flat.at(Point{flat.center.X, flat.center.Y - flat.radius}); math.Abs(at-1) > 1e-9 {
		t.Errorf("a gradient with a focus is %v at its circle, want 1", at)
	}
	colours := disc.table()
	if first, last := colours[0], colours[len(colours)-1]; first != disc.stops[0].color || last != disc.stops[2].color {
		t.Errorf("colours from %v to %v, want those of the first and last stop", first, last)
	}
}
