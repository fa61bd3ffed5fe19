// Package paint is a sheet of character cells that screens draw on, and the
// colours and signs they draw with.
//
// Start with [Canvas]. What is drawn has a [Style] made of roles, such as
// "last move"; a [Theme] says what colours the roles have, if any. A part of the
// canvas can be made a zone, so that a click there means something. Text that
// does not fit is cut at the edge, never wrapped.
package paint

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Style is how a cell looks.
type Style struct {
	FG, BG                   Role
	Bold, Reverse, Underline bool
}

// On returns the style on another background.
func (s Style) On(bg Role) Style {
	s.BG = bg
	return s
}

// Rect is a part of a canvas.
type Rect struct{ X, Y, W, H int }

// Inset returns the part without so many columns and rows at each edge.
func (r Rect) Inset(x, y int) Rect { return Rect{r.X + x, r.Y + y, max(r.W-2*x, 0), max(r.H-2*y, 0)} }

// contains reports whether a cell is in the part.
func (r Rect) contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Canvas is a sheet of cells.
type Canvas struct {
	W, H  int
	cells []cell
	zones []zone
}

type cell struct {
	text  string // "" is a blank
	style Style
	taken bool // by the wide character to the left
}

type zone struct {
	rect Rect
	msg  any
}

// New returns an empty canvas.
func New(w, h int) *Canvas {
	return &Canvas{W: w, H: h, cells: make([]cell, w*h)}
}

// Whole returns the part that is everything.
func (c *Canvas) Whole() Rect { return Rect{0, 0, c.W, c.H} }

// Put draws one sign, which is one column wide.
func (c *Canvas) Put(x, y int, sign string, s Style) {
	if x >= 0 && x < c.W && y >= 0 && y < c.H {
		c.cells[y*c.W+x] = cell{text: sign, style: s}
	}
}

// Text draws a text and returns the column behind it. Control characters become
// blanks.
func (c *Canvas) Text(x, y int, text string, s Style) int {
	return c.Clip(x, y, c.W-x, text, s)
}

// Clip is Text in at most so many columns.
func (c *Canvas) Clip(x, y, width int, text string, s Style) int {
	end := min(x+width, c.W)
	for _, r := range text {
		if r < ' ' || r == 0x7f {
			r = ' '
		}
		w := 1
		if r > 0x7e {
			w = lipgloss.Width(string(r))
		}
		if x+w > end {
			break
		}
		c.rune(x, y, r, w, s)
		x += w
	}
	return x
}

// rune draws a character of 0, 1 or 2 columns.
func (c *Canvas) rune(x, y int, r rune, width int, s Style) {
	if width == 0 {
		if i := y*c.W + x - 1; x > 0 && y >= 0 && y < c.H {
			c.cells[i].text += string(r)
		}
		return
	}
	c.Put(x, y, string(r), s)
	for i := 1; i < width; i++ {
		c.Put(x+i, y, "", s)
		if x+i < c.W && y >= 0 && y < c.H && x+i >= 0 {
			c.cells[y*c.W+x+i].taken = true
		}
	}
}

// Right draws a text that ends before a column.
func (c *Canvas) Right(x, y int, text string, s Style) {
	c.Text(x-lipgloss.Width(text), y, text, s)
}

// Center draws a text in the middle of a part's row.
func (c *Canvas) Center(r Rect, y int, text string, s Style) {
	c.Clip(r.X+max(r.W-lipgloss.Width(text), 0)/2, y, r.W, text, s)
}

// Fill empties a part and gives it a style.
func (c *Canvas) Fill(r Rect, s Style) {
	for y := r.Y; y < r.Y+r.H; y++ {
		for x := r.X; x < r.X+r.W; x++ {
			c.Put(x, y, "", s)
		}
	}
}

// Zone makes a part of the canvas mean a message when it is clicked. Later zones
// lie above earlier ones.
func (c *Canvas) Zone(r Rect, msg any) { c.zones = append(c.zones, zone{r, msg}) }

// ClearZones takes away the zones that are there, for a dialog above them.
func (c *Canvas) ClearZones() { c.zones = nil }

// At returns what a click on a cell means, nil for nothing.
func (c *Canvas) At(x, y int) any {
	for i := len(c.zones) - 1; i >= 0; i-- {
		if c.zones[i].rect.contains(x, y) {
			return c.zones[i].msg
		}
	}
	return nil
}

// Plain returns the text without styles, without blanks at the ends of lines.
func (c *Canvas) Plain() string {
	var b strings.Builder
	for y := range c.H {
		var line strings.Builder
		for x := range c.W {
			line.WriteString(c.cells[y*c.W+x].sign())
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

func (c cell) sign() string {
	switch {
	case c.taken:
		return ""
	case c.text == "":
		return " "
	}
	return c.text
}

// Render returns the text with the escape sequences of a theme's styles.
func (c *Canvas) Render(t *Theme) string {
	var b strings.Builder
	looks := map[Style]lipgloss.Style{}
	for y := range c.H {
		row := c.cells[y*c.W : (y+1)*c.W]
		for x := 0; x < len(row); {
			from := x
			var run strings.Builder
			for ; x < len(row) && row[x].style == row[from].style; x++ {
				run.WriteString(row[x].sign())
			}
			style := row[from].style
			if _, ok := looks[style]; !ok {
				looks[style] = t.style(style)
			}
			b.WriteString(looks[style].Render(run.String()))
		}
		if y < c.H-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
