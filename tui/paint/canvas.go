// Package paint provides a canvas of character cells, with colours and signs.
//
// Start with [Canvas]. A [Style] consists of roles, such as "last move"; a [Theme]
// maps roles to colours. A zone of the canvas turns clicks into messages. Text that
// does not fit is clipped, never wrapped.
package paint

import (
	"strings"

	"charm.land/lipgloss/v2"

	"quintet/internal/escape"
)

// Style is the style of a cell.
type Style struct {
	FG, BG                   Role
	Bold, Reverse, Underline bool
}

// Rect is an area of a canvas.
type Rect struct{ X, Y, W, H int }

// Inset returns the area without x columns and y rows at each edge.
func (r Rect) Inset(x, y int) Rect { return Rect{r.X + x, r.Y + y, max(r.W-2*x, 0), max(r.H-2*y, 0)} }

// contains reports whether the area contains a cell.
func (r Rect) contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Canvas is a grid of character cells.
type Canvas struct {
	W, H  int
	cells []cell
	zones []zone
}

type cell struct {
	text  string // "" means a blank
	style Style
	taken bool // covered by the wide character to the left
}

type zone struct {
	rect Rect
	msg  any
}

// New returns an empty canvas.
func New(w, h int) *Canvas {
	return &Canvas{W: w, H: h, cells: make([]cell, w*h)}
}

// Whole returns the area of the whole canvas.
func (c *Canvas) Whole() Rect { return Rect{0, 0, c.W, c.H} }

// Put draws a one-column sign. If it overwrites half of a wide character, it blanks the other half.
func (c *Canvas) Put(x, y int, sign string, s Style) {
	if x < 0 || x >= c.W || y < 0 || y >= c.H {
		return
	}
	row := c.cells[y*c.W : (y+1)*c.W]
	if row[x].taken && x > 0 {
		row[x-1].text = ""
	}
	if x+1 < c.W {
		row[x+1].taken = false
	}
	row[x] = cell{text: sign, style: s}
}

// Text draws a text and returns the column after it. What could disturb the terminal becomes a
// blank: texts may come from a file.
func (c *Canvas) Text(x, y int, text string, s Style) int {
	return c.Clip(x, y, c.W-x, text, s)
}

// Clip is like Text with a maximum width.
func (c *Canvas) Clip(x, y, width int, text string, s Style) int {
	end := min(x+width, c.W)
	for _, r := range text {
		if escape.Disturbs(r) {
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

// rune draws a character with a width of 0 to 2 columns.
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

// Right draws a text that ends before column x.
func (c *Canvas) Right(x, y int, text string, s Style) {
	c.Text(x-lipgloss.Width(text), y, text, s)
}

// Center draws a text centered in a row of an area.
func (c *Canvas) Center(r Rect, y int, text string, s Style) {
	c.Clip(r.X+max(r.W-lipgloss.Width(text), 0)/2, y, r.W, text, s)
}

// Fill clears an area and sets its style.
func (c *Canvas) Fill(r Rect, s Style) {
	for y := r.Y; y < r.Y+r.H; y++ {
		for x := r.X; x < r.X+r.W; x++ {
			c.Put(x, y, "", s)
		}
	}
}

// Grid draws the lines around the cells of an area, which repeat every w columns and h rows. The
// area ends with lines.
func (c *Canvas) Grid(r Rect, w, h int, signs *Signs, s Style) {
	for y := range r.H {
		for x := range r.W {
			switch onRow, onCol := y%h == 0, x%w == 0; {
			case onRow && onCol:
				c.Put(r.X+x, r.Y+y, signs.Crossing(y, r.H, x, r.W), s)
			case onRow:
				c.Put(r.X+x, r.Y+y, signs.Horizontal, s)
			case onCol:
				c.Put(r.X+x, r.Y+y, signs.Vertical, s)
			}
		}
	}
}

// Zone sets the message of clicks on an area. Later zones cover earlier ones.
func (c *Canvas) Zone(r Rect, msg any) { c.zones = append(c.zones, zone{r, msg}) }

// ClearZones removes all zones, for a dialog above them.
func (c *Canvas) ClearZones() { c.zones = nil }

// At returns the message of a click on a cell, nil for none.
func (c *Canvas) At(x, y int) any {
	for i := len(c.zones) - 1; i >= 0; i-- {
		if c.zones[i].rect.contains(x, y) {
			return c.zones[i].msg
		}
	}
	return nil
}

// Plain returns the text without styles and without trailing blanks.
func (c *Canvas) Plain() string {
	var b strings.Builder
	for y := range c.H {
		line := ""
		for _, run := range c.Row(y) {
			line += run.Text
		}
		b.WriteString(strings.TrimRight(line, " "))
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

// Run is a part of a row with one style.
type Run struct {
	X     int // the first column
	Text  string
	Style Style
}

// Row returns the runs of a row.
func (c *Canvas) Row(y int) (list []Run) {
	for x, cell := range c.cells[y*c.W : (y+1)*c.W] {
		if last := len(list) - 1; x > 0 && list[last].Style == cell.style {
			list[last].Text += cell.sign()
		} else {
			list = append(list, Run{x, cell.sign(), cell.style})
		}
	}
	return list
}

// Render returns the text with the theme's escape sequences.
func (c *Canvas) Render(t *Theme) string {
	var b strings.Builder
	looks := map[Style]lipgloss.Style{}
	for y := range c.H {
		for _, run := range c.Row(y) {
			if _, ok := looks[run.Style]; !ok {
				looks[run.Style] = t.style(run.Style)
			}
			b.WriteString(looks[run.Style].Render(run.Text))
		}
		if y < c.H-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
