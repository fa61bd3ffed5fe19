package picture

import (
	"fmt"
	"html"
	"image/color"
	"strconv"
	"strings"
)

// SVG returns the drawing as an SVG document, width pixels wide; 0 leaves the size to
// the viewer.
func (d Drawing) SVG(width int) []byte {
	size := ""
	if width > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, width, d.height(width))
	}
	b := fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg"%s viewBox="0 0 %s %s" role="img" stroke-linejoin="round" stroke-linecap="round" text-anchor="middle" font-family="Go, Helvetica, Arial, sans-serif">`+"\n",
		size, number(d.Width), number(d.Height))
	if d.Title != "" {
		b = fmt.Appendf(b, "<title>%s</title>\n", html.EscapeString(cleanXML(d.Title)))
	}
	b = append(b, d.definitions()...)
	for _, s := range d.Shapes {
		b = append(b, s.svg()...)
	}
	return append(b, "</svg>\n"...)
}

// definitions returns the gradients and outlines that the shapes use.
func (d Drawing) definitions() string {
	defined := map[string]bool{}
	var b strings.Builder
	for _, s := range d.Shapes {
		if g := s.Paint; g != nil && !defined[g.name] {
			defined[g.name] = true
			b.WriteString(g.svg())
		}
		if o := s.Outline; o != nil && !defined[o.name] {
			defined[o.name] = true
			fmt.Fprintf(&b, `<path id="%s" d="%s"/>`+"\n", o.name, o.data)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "<defs>\n" + b.String() + "</defs>\n"
}

// height returns the height in pixels for a width.
func (d Drawing) height(width int) int {
	return max(1, int(float64(width)*d.Height/d.Width+0.5))
}

// cleanXML removes characters that XML does not allow.
func cleanXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// svg returns the element of a shape.
func (s Shape) svg() string {
	style := s.style()
	switch {
	case s.Text != "":
		return fmt.Sprintf(`<text x="%s" y="%s" font-size="%s"%s>%s</text>`+"\n", number(s.X), number(s.Y+0.36*s.Size), number(s.Size), style, html.EscapeString(cleanXML(s.Text)))
	case s.Radius > 0:
		return fmt.Sprintf(`<circle cx="%s" cy="%s" r="%s"%s/>`+"\n", number(s.X), number(s.Y), number(s.Radius), style)
	}
	if s.Outline != nil {
		return fmt.Sprintf(`<use href="#%s" transform="translate(%s %s)scale(%s)"%s/>`+"\n", s.Outline.name, number(s.X), number(s.Y), number(s.Scale), style)
	}
	var path strings.Builder
	for i, p := range s.Points[:s.Corners] {
		path.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + number(p.X) + " " + number(p.Y))
	}
	if !s.Open {
		path.WriteString("Z")
	}
	return fmt.Sprintf(`<path d="%s"%s/>`+"\n", path.String(), style)
}

// style returns the attributes of the fill and the line.
func (s Shape) style() string {
	fill := hexColor(s.Fill)
	if s.Paint != nil {
		fill = "url(#" + s.Paint.name + ")"
	}
	text := ` fill="` + fill + `"`
	if s.Line.A == 0 {
		return text
	}
	width := s.Width
	if s.Outline != nil {
		width /= s.Scale
	}
	text += ` stroke="` + hexColor(s.Line) + `" stroke-width="` + number(width) + `"`
	if s.Under {
		text += ` paint-order="stroke"`
	}
	return text
}

// hexColor formats a colour.
func hexColor(c color.RGBA) string {
	if c.A == 0 {
		return "none"
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// number formats a number with at most two decimals.
func number(f float64) string {
	return strconv.FormatFloat(float64(int64(f*100+0.5))/100, 'f', -1, 64)
}
