package paint

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
)

// Size of a cell in the SVG, in pixels.
const (
	cellWidth  = 9
	cellHeight = 18
)

// SVG returns the canvas in the colours of a theme as SVG. It needs only a monospaced
// font.
func (c *Canvas) SVG(t *Theme) string {
	var b strings.Builder
	w, h := c.W*cellWidth, c.H*cellHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="15" xml:space="preserve">`, w, h, w, h)
	fmt.Fprintf(&b, "\n<rect width=\"100%%\" height=\"100%%\" fill=%q/>\n", cmp.Or(t.Hex(Ground), "#ffffff"))
	for y := range c.H {
		c.svgRow(&b, t, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// svgRow writes a row: backgrounds first, so that they cover no text.
func (c *Canvas) svgRow(b *strings.Builder, t *Theme, y int) {
	var text strings.Builder
	row := c.cells[y*c.W : (y+1)*c.W]
	for x := 0; x < len(row); {
		from, run := x, ""
		for ; x < len(row) && row[x].style == row[from].style; x++ {
			run += row[x].sign()
		}
		fg, bg := t.Hex(row[from].style.FG), t.Hex(row[from].style.BG)
		if row[from].style.BG == Plain {
			bg = t.Hex(Ground)
		}
		if row[from].style.Reverse {
			fg, bg = bg, fg
		}
		if bg != t.Hex(Ground) {
			fmt.Fprintf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=%q/>\n", from*cellWidth, y*cellHeight, (x-from)*cellWidth, cellHeight, bg)
		}
		svgText(&text, run, from, y, row[from].style, fg)
	}
	b.WriteString(text.String())
}

// svgText writes the words of a run, each at its cell.
func svgText(b *strings.Builder, run string, x, y int, s Style, fg string) {
	for run != "" {
		word, rest := run, ""
		if i := strings.IndexByte(run, ' '); i == 0 {
			run, x = run[1:], x+1
			continue
		} else if i > 0 {
			word, rest = run[:i], run[i:]
		}
		weight := ""
		if s.Bold {
			weight = ` font-weight="bold"`
		}
		if s.Underline {
			weight += ` text-decoration="underline"`
		}
		width := lipgloss.Width(word)
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=%q%s>%s</text>\n", x*cellWidth, y*cellHeight+14, width*cellWidth, fg, weight,
			strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(word))
		x, run = x+width, rest
	}
}
