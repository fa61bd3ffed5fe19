package tui

import (
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
)

// thought shows what an engine has found: bots.Searcher found it, in 20,000 to
// 300,000 positions.
func (d *driver) thought(score, depth int, line string, values map[string]int) {
	d.t.Helper()
	p := d.play()
	p.evaluate, p.values = true, values != nil
	found := thought{turn: p.turn, side: p.sit.Turn(), line: engine.Line{Score: score, Depth: depth}, values: map[game.Move]int{}}
	at := p.sit.Position()
	for name, value := range values {
		mv, err := at.Parse(name)
		if err != nil {
			d.t.Fatal(err)
		}
		found.values[mv] = value
	}
	for word := range strings.FieldsSeq(line) {
		mv, err := at.Parse(word)
		if err != nil {
			d.t.Fatal(err)
		}
		found.line.Moves = append(found.line.Moves, mv)
		at.Play(mv)
	}
	p.thinker.last = found
}

// pictured are the games of the pictures in README.md: moves that two engines
// played, and what is asked for.
func pictured() map[string]struct {
	setup game.Setup
	moves string
	show  func(*driver)
} {
	type picture = struct {
		setup game.Setup
		moves string
		show  func(*driver)
	}
	return map[string]picture{
		"neighbors": {nil, "f7h5 f0h2 g7f6 g0g1 h5f5 h2h5 h1g2 e0e1 g2g4 e1f1 e7e5 h4e7 e5g3 h6g5", func(d *driver) { d.keys("g tab enter") }},
		"othello": {
			game.Setup{"pits": "c3,g6"}, "f4 f5 e6 d3 f6 g4 g3 g5 e3 g2 h5 f3 f2 h6 h1 d6 e2 h4",
			func(d *driver) {
				d.thought(1385, 11, "h2 d7 e7 h3 h7 e8 d2 c1 c5", map[string]int{"h2": 1385, "c7": 845, "c2": 650, "c5": 610, "c6": 575, "c4": 310, "h3": 280})
			},
		},
		"loa": {nil, "a6c4 f0d2 a5c7 g0g2 a1c1 b0b2 c4f4 g7g5 a4c6 e0h3 a2c4 h3f3 h5f7 e7h4", func(d *driver) { d.keys("tab tab enter") }},
		"connect6": {nil, "J9 J8 I8 K8 K10 L9 H9 I10 M8 H7 L11 J11 G6 K12 M12", func(d *driver) {
			d.thought(engine.Won-10, 0, "L7 K6 G12 M6 J5 K7 K5 K9 H3 I4", nil)
		}},
		"chess": {nil, "d2d4 g8f6 f2f3 d7d5 g2g4 h7h6 c1f4 e7e6 b1c3 f8d6 f4d6 d8d6 e2e3 a7a6 f1d3 d6b4 g1e2 b7b5",
			func(d *driver) { d.keys("tab tab tab enter"); d.thought(58, 12, "a2a3 b4d6 b2b4 b8c6 e1f2 c8b7", nil) }},
	}
}

// TestPictures compares the pictures of README.md with the screens of today.
// QUINTET_GOLDEN=1 writes them anew.
func TestPictures(t *testing.T) {
	for name, p := range pictured() {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, func(o *Options) {
				o.Theme, o.Glyphs = "dark", "unicode"
				begin(name, p.setup, "none")(o)
				o.Begin.Seats[1] = "level:6"
			})
			d.play().sit.Terms.Seats[1] = "person"
			d.play().seated()
			d.moves(p.moves)
			d.play().sit.Terms.Seats[1] = "level:6" // plays White, who does not move in this picture
			p.show(d)
			golden(t, filepath.Join("..", "docs", "pictures", name+".svg"), svg(strings.Split(d.app.render(), "\n"), 80))
		})
	}
}

// The size of a character in a picture, and the ground of the terminal.
const (
	charWidth  = 9
	charHeight = 18
	screen     = "#14171c"
)

// glyph is a character and its colours.
type glyph struct {
	r      rune
	fg, bg string
	bold   bool
}

var sequence = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// glyphs reads a line with colours.
func glyphs(line string) (list []glyph) {
	at := glyph{fg: "#d8dee9", bg: screen}
	plain := at
	for line != "" {
		m := sequence.FindStringSubmatchIndex(line)
		text := line
		if m != nil {
			text = line[:m[0]]
		}
		for _, r := range text {
			at.r = r
			list = append(list, at)
		}
		if m == nil {
			return list
		}
		at = at.with(line[m[2]:m[3]], plain)
		line = line[m[1]:]
	}
	return list
}

// with applies a sequence of colours.
func (g glyph) with(codes string, plain glyph) glyph {
	if codes == "" {
		return plain
	}
	for codes != "" {
		code, rest, _ := strings.Cut(codes, ";")
		var r, gr, b int
		switch {
		case code == "38" || code == "48":
			_, _ = fmt.Sscanf(rest, "2;%d;%d;%d", &r, &gr, &b)
			colour := fmt.Sprintf("#%02x%02x%02x", r, gr, b)
			if code == "38" {
				g.fg = colour
			} else {
				g.bg = colour
			}
			for range 4 {
				_, rest, _ = strings.Cut(rest, ";")
			}
		case code == "1":
			g.bold = true
		default:
			g = plain
		}
		codes = rest
	}
	return g
}

// arms are the lines from the middle of a character: left, right, up, down; or
// both ways, b across and v down.
func arms() map[rune]string {
	return map[rune]string{
		'┌': "rd", '┬': "bd", '┐': "ld", '├': "rv", '┼': "bv", '┤': "lv", '└': "ru", '┴': "bu", '┘': "lu", '─': "b", '│': "v",
	}
}

// svg draws a screen of so many columns. Lines and stones are shapes, so that
// they do not depend on the font.
func svg(lines []string, columns int) string {
	var b strings.Builder
	w, h := columns*charWidth, len(lines)*charHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="15">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="6" fill="%s"/>`+"\n", w, h, screen)
	paths := map[string]*strings.Builder{}
	var letters strings.Builder
	for y, line := range lines {
		row := glyphs(line)
		for from := 0; from < len(row); {
			to := from
			for ; to < len(row) && row[to].bg == row[from].bg; to++ {
			}
			if row[from].bg != screen {
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", from*charWidth, y*charHeight, (to-from)*charWidth, charHeight, row[from].bg)
			}
			from = to
		}
		for x := 0; x < len(row); {
			x = char(&letters, paths, row, x, y)
		}
	}
	for _, colour := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&b, `<path stroke="%s" fill="none" d="%s"/>`+"\n", colour, paths[colour])
	}
	return b.String() + letters.String() + "</svg>\n"
}

// char draws the character of a place, or a word from there on, and returns the
// next place.
func char(out *strings.Builder, paths map[string]*strings.Builder, row []glyph, x, y int) int {
	g := row[x]
	px, py := x*charWidth, y*charHeight
	cx, cy := float64(px)+charWidth/2.0, float64(py)+charHeight/2.0
	if dirs, ok := arms()[g.r]; ok {
		if paths[g.fg] == nil {
			paths[g.fg] = &strings.Builder{}
		}
		for _, dir := range dirs {
			switch dir {
			case 'b':
				fmt.Fprintf(paths[g.fg], "M%d %gh%d", px, cy, charWidth)
			case 'v':
				fmt.Fprintf(paths[g.fg], "M%g %dv%d", cx, py, charHeight)
			case 'l':
				fmt.Fprintf(paths[g.fg], "M%d %gh%g", px, cy, charWidth/2.0)
			case 'r':
				fmt.Fprintf(paths[g.fg], "M%g %gh%g", cx, cy, charWidth/2.0)
			case 'u':
				fmt.Fprintf(paths[g.fg], "M%g %dv%d", cx, py, charHeight/2)
			case 'd':
				fmt.Fprintf(paths[g.fg], "M%g %gv%d", cx, cy, charHeight/2)
			}
		}
		return x + 1
	}
	switch g.r {
	case ' ':
	case '●':
		fmt.Fprintf(out, `<circle cx="%g" cy="%g" r="6" fill="%s"/>`+"\n", cx, cy, g.fg)
	case '○':
		fmt.Fprintf(out, `<circle cx="%g" cy="%g" r="5" fill="none" stroke="%s" stroke-width="2"/>`+"\n", cx, cy, g.fg)
	case '█', '░', '▒':
		opacity := map[rune]string{'█': "1", '▒': ".6", '░': ".25"}[g.r]
		to := x
		for ; to < len(row) && row[to] == g; to++ {
		}
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" opacity="%s"/>`+"\n", px, py+2, (to-x)*charWidth, charHeight-4, g.fg, opacity)
		return to
	default:
		return word(out, row, x, y)
	}
	return x + 1
}

// word draws letters that belong together as one text.
func word(out *strings.Builder, row []glyph, x, y int) int {
	g, to := row[x], x
	text := ""
	for ; to < len(row) && row[to].r > ' ' && row[to].r < 0x2500 && row[to].fg == g.fg && row[to].bold == g.bold; to++ {
		text += string(row[to].r)
	}
	size := ""
	if to == x { // a figure
		text, to, size = string(g.r), x+1, ` font-size="19"`
	}
	weight := ""
	if g.bold && size == "" {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(out, `<text x="%g" y="%d" fill="%s"%s%s text-anchor="middle" textLength="%d">%s</text>`+"\n", float64(x+to)*charWidth/2, y*charHeight+14, g.fg, weight, size, (to-x)*charWidth, html.EscapeString(text))
	return to
}

// TestPicturesAreSmall keeps the README light.
func TestPicturesAreSmall(t *testing.T) {
	for name := range pictured() {
		info, err := os.Stat(filepath.Join("..", "docs", "pictures", name+".svg"))
		if err != nil || info.Size() > 40_000 {
			t.Errorf("%s: %v, %d bytes, want at most 40,000", name, err, info.Size())
		}
	}
}
