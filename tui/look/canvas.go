package look

import "strings"

// Canvas is a rectangle of characters with the roles of their letters and of
// their ground. What is drawn outside of it is not drawn.
type Canvas struct {
	w, h  int
	cells []cell
}

type cell struct {
	r               rune
	letters, ground Role
}

// NewCanvas returns an empty canvas.
func NewCanvas(w, h int) *Canvas {
	c := &Canvas{w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// Set draws a character.
func (c *Canvas) Set(x, y int, r rune, letters, ground Role) {
	if x >= 0 && x < c.w && y >= 0 && y < c.h {
		c.cells[y*c.w+x] = cell{r, letters, ground}
	}
}

// Write draws text from a place to the right.
func (c *Canvas) Write(x, y int, text string, letters, ground Role) {
	for i, r := range []rune(text) {
		c.Set(x+i, y, r, letters, ground)
	}
}

// Fill gives a rectangle a ground.
func (c *Canvas) Fill(x, y, w, h int, ground Role) {
	for j := range h {
		for i := range w {
			c.Set(x+i, y+j, ' ', ground, ground)
		}
	}
}

// Render returns the canvas as lines of text in colours.
func (c *Canvas) Render(l Look) string {
	lines := make([]string, c.h)
	for y := range lines {
		lines[y] = c.line(l, c.cells[y*c.w:(y+1)*c.w])
	}
	return strings.Join(lines, "\n")
}

// line joins characters of the same roles, so that they need one sequence.
func (c *Canvas) line(l Look, row []cell) string {
	var b strings.Builder
	for from := 0; from < len(row); {
		to := from
		var run strings.Builder
		for ; to < len(row) && row[to].letters == row[from].letters && row[to].ground == row[from].ground; to++ {
			run.WriteRune(row[to].r)
		}
		b.WriteString(l.style(row[from].letters, row[from].ground).Styled(run.String()))
		from = to
	}
	return b.String()
}
