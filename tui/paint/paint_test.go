package paint_test

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"quintet/tui/paint"
)

// TestText cuts texts at the edges, also those with wide and combining
// characters, and lets no control character through.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"abcdef":         "abcde",
		"日本語":            "日本",
		"a\x1b[31mb":     "a [31",
		"a\u009b2\u202e": "a 2",
		"e\u0301e":       "e\u0301e",
		"a\nb\tc":        "a b c",
		"\u0301start!":   "start",
	} {
		c := paint.New(5, 1)
		c.Text(0, 0, text, paint.Style{})
		if got := strings.TrimSuffix(c.Plain(), "\n"); got != want {
			t.Errorf("%q is drawn as %q, want %q", text, got, want)
		}
	}
	for x, want := range []string{"x 本", " x本", "日x", "日 x"} { // half a character stays blank
		c := paint.New(4, 1)
		c.Text(0, 0, "日本", paint.Style{})
		c.Put(x, 0, "x", paint.Style{})
		if got := strings.TrimSuffix(c.Plain(), "\n"); got != want {
			t.Errorf("x in column %d: %q, want %q", x, got, want)
		}
	}
	c := paint.New(3, 2)
	c.Text(-2, 0, "abc", paint.Style{})
	c.Text(0, 7, "abc", paint.Style{})
	c.Text(0, -1, "abc\u0301日", paint.Style{})
	if got := c.Plain(); got != "c\n\n" {
		t.Errorf("drawn beyond the edges: %q", got)
	}
}

// TestZones clicks on every cell of two areas, of which the later covers the earlier.
func TestZones(t *testing.T) {
	c := paint.New(6, 4)
	c.Zone(paint.Rect{X: 1, Y: 1, W: 3, H: 2}, "a")
	c.Zone(paint.Rect{X: 3, Y: 2, W: 2, H: 1}, "b")
	got := ""
	for y := range 4 {
		for x := range 6 {
			if text, ok := c.At(x, y).(string); ok {
				got += text
			} else {
				got += "."
			}
		}
	}
	if want := "......" + ".aaa.." + ".aabb." + "......"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if c.ClearZones(); c.At(1, 1) != nil {
		t.Error("a zone is left")
	}
}

// TestCrossing draws the crossings of boards of all shapes, from the upper left.
func TestCrossing(t *testing.T) {
	s := &paint.Signs{Crossings: [3][3]string{{"1", "t", "2"}, {"l", "+", "r"}, {"3", "b", "4"}}}
	for want, size := range map[string][2]int{"1t2 l+r 3b4": {3, 3}, "12 34": {2, 2}, "+++": {1, 3}, "+ + +": {3, 1}, "+": {1, 1}} {
		got := ""
		for row := range size[0] {
			for col := range size[1] {
				got += s.Crossing(row, size[0], col, size[1])
			}
			got += " "
		}
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("%v: %q, want %q", size, got, want)
		}
	}
}

// TestWrap breaks texts between words, by columns and not by bytes.
func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, nil},
		{" one\ntwo  three", 7, []string{"one two", "three"}},
		{"one two", 6, []string{"one", "two"}},
		{"a lengthy word", 4, []string{"a", "lengthy", "word"}},
		{"→ ← ↑", 5, []string{"→ ← ↑"}},
	} {
		if got := paint.Wrap(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.width, got, test.want)
		}
	}
}

// TestContrast checks that texts and pieces are readable: 4.5 to 1 for texts, as the Web
// Content Accessibility Guidelines 2.2 require, and 3 to 1 for signs.
func TestContrast(t *testing.T) {
	texts := []paint.Role{paint.Plain, paint.Dim, paint.Accent, paint.Good, paint.Bad}
	signs := []paint.Role{paint.Black, paint.White, paint.Target, paint.Danger}
	for _, name := range []string{"dark", "light", "safe"} {
		theme := paint.NewTheme(name, true)
		want := func(fg, bg paint.Role, least float64) {
			if got := contrast(theme.Colour(fg), theme.Colour(bg)); got < least {
				t.Errorf("%s: role %d on %d has a contrast of %.2f, want %.1f", name, fg, bg, got, least)
			}
		}
		for _, fg := range texts {
			want(fg, paint.Ground, 4.5)
		}
		want(paint.Plain, paint.Bar, 4.5)
		want(paint.Plain, paint.Chosen, 4.5)
		want(paint.Accent, paint.Bar, 4.5)
		for _, bg := range []paint.Role{paint.Tile, paint.TileAlt, paint.Last} {
			for _, fg := range signs {
				want(fg, bg, 3)
			}
		}
		want(paint.White, paint.Selected, 4.5)
	}
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.Color) (sum float64) {
	red, green, blue, _ := c.RGBA()
	parts := []uint32{red, green, blue}
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(parts[i]>>8) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
