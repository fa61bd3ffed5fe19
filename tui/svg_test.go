package tui

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"quintet/tui/paint"
)

// Size of a cell in the SVG, in pixels.
const (
	cellWidth  = 9
	cellHeight = 18
)

// svgOf returns a canvas in the colours of a theme as SVG, for the documentation. It needs only a
// monospaced font.
func svgOf(c *paint.Canvas, t *paint.Theme) string {
	var b strings.Builder
	w, h := c.W*cellWidth, c.H*cellHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="15" xml:space="preserve">`, w, h, w, h)
	fmt.Fprintf(&b, "\n<rect width=\"100%%\" height=\"100%%\" fill=%q/>\n", cmp.Or(hexOf(t, paint.Ground), "#ffffff"))
	for y := range c.H {
		svgRow(&b, c, t, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// hexOf returns the colour of a role as "#rrggbb", "" if the theme has none.
func hexOf(t *paint.Theme, r paint.Role) string {
	colour := t.Colour(r)
	if colour == nil {
		return ""
	}
	red, green, blue, _ := colour.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", red>>8, green>>8, blue>>8)
}

// svgRow writes a row: backgrounds first, so that they cover no text.
func svgRow(b *strings.Builder, c *paint.Canvas, t *paint.Theme, y int) {
	var text strings.Builder
	row := c.Row(y)
	for i, run := range row {
		end := c.W
		if i+1 < len(row) {
			end = row[i+1].X
		}
		fg, bg := hexOf(t, run.Style.FG), hexOf(t, run.Style.BG)
		if run.Style.BG == paint.Plain {
			bg = hexOf(t, paint.Ground)
		}
		if run.Style.Reverse {
			fg, bg = bg, fg
		}
		if bg != hexOf(t, paint.Ground) {
			fmt.Fprintf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=%q/>\n", run.X*cellWidth, y*cellHeight, (end-run.X)*cellWidth, cellHeight, bg)
		}
		svgText(&text, run, y, fg)
	}
	b.WriteString(text.String())
}

// svgText writes the words of a run, each at its cell.
func svgText(b *strings.Builder, r paint.Run, y int, fg string) {
	run, x := r.Text, r.X
	for run != "" {
		word, rest := run, ""
		if i := strings.IndexByte(run, ' '); i == 0 {
			run, x = run[1:], x+1
			continue
		} else if i > 0 {
			word, rest = run[:i], run[i:]
		}
		weight := ""
		if r.Style.Bold {
			weight = ` font-weight="bold"`
		}
		if r.Style.Underline {
			weight += ` text-decoration="underline"`
		}
		width := lipgloss.Width(word)
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=%q%s>%s</text>\n", x*cellWidth, y*cellHeight+14, width*cellWidth, fg, weight,
			strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(word))
		x, run = x+width, rest
	}
}
