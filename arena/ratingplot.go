package arena

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// Dimensions of the plot, in pixels.
const (
	rowHeight  = 34
	topMargin  = 58
	lowMargin  = 46
	plotWidth  = 520
	sideMargin = 24
	valueWidth = 150 // of the numbers at the right
	charWidth  = 7.6 // mean width of a character of a name; long names are cut
	maxName    = 40
)

// ratingPlot draws ratings with error bars as SVG.
type ratingPlot struct {
	bytes.Buffer
	left      float64 // edge of the plot area
	low, high float64 // ends of the scale, in Elo
}

// WriteSVG writes a self-contained SVG plot of the ratings with their confidence
// intervals, one row per player, best first.
func (s *Standings) WriteSVG(w io.Writer, title string) error {
	ratings := s.Ratings()
	p := &ratingPlot{left: sideMargin + charWidth*float64(s.longestName()) + 16}
	p.scale(ratings)
	width, height := p.left+plotWidth+valueWidth+sideMargin, float64(topMargin+rowHeight*len(ratings)+lowMargin)
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="14">`,
		width, height, width, height)
	p.add(`<title>%s</title>`, escapeXML(title))
	p.add(`<rect width="100%%" height="100%%" fill="#ffffff"/>`)
	p.add(`<text x="%d" y="30" font-size="17" font-weight="bold" fill="#1a1a1a">%s</text>`, sideMargin, escapeXML(title))
	p.axis(topMargin, topMargin+float64(rowHeight*len(ratings)))
	for i, r := range ratings {
		p.row(topMargin+rowHeight*(float64(i)+0.5), s.Players[r.Player], r)
	}
	p.add(`</svg>`)
	if _, err := w.Write(p.Bytes()); err != nil {
		return fmt.Errorf("writing the picture: %w", err)
	}
	return nil
}

func (s *Standings) longestName() (n int) {
	for _, p := range s.Players {
		n = max(n, min(utf8.RuneCountInString(p.Name), maxName))
	}
	return n
}

// add adds a line of the file.
func (p *ratingPlot) add(format string, args ...any) {
	_, _ = fmt.Fprintf(p, format+"\n", args...) // a Buffer takes everything
}

func escapeXML(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a Buffer takes everything
	return b.String()
}

// scale chooses the ends of the scale so that all intervals fit.
func (p *ratingPlot) scale(ratings []Rating) {
	p.low, p.high = -10, 10
	for _, r := range ratings {
		p.low, p.high = min(p.low, r.Elo-r.Error), max(p.high, r.Elo+r.Error)
	}
	step := p.step()
	p.low, p.high = math.Floor(p.low/step)*step, math.Ceil(p.high/step)*step
}

// step returns a round tick distance that gives about six ticks.
func (p *ratingPlot) step() float64 {
	rough := (p.high - p.low) / 6
	unit := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, times := range []float64{1, 2, 5} {
		if rough <= times*unit {
			return times * unit
		}
	}
	return 10 * unit
}

func (p *ratingPlot) x(elo float64) float64 {
	return p.left + plotWidth*(elo-p.low)/(p.high-p.low)
}

// axis draws the axis and its ticks.
func (p *ratingPlot) axis(top, bottom float64) {
	step := p.step()
	for elo := p.low; elo <= p.high+step/2; elo += step {
		colour, mark := "#e4e4e4", fmt.Sprintf("%+.0f", elo)
		if math.Abs(elo) < step/2 {
			colour, mark = "#9a9a9a", "0"
		}
		p.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`, p.x(elo), top, p.x(elo), bottom, colour)
		p.add(`<text x="%.1f" y="%.1f" text-anchor="middle" font-size="12" fill="#555555">%s</text>`, p.x(elo), bottom+17, mark)
	}
	p.add(`<text x="%.1f" y="%.1f" text-anchor="middle" font-size="12" fill="#555555">Elo, the mean of all is 0; bars hold the true value with 95 %%</text>`,
		p.left+plotWidth/2, bottom+35)
}

// row draws a player.
func (p *ratingPlot) row(y float64, s Standing, r Rating) {
	name := []rune(s.Name)
	if len(name) > maxName {
		name = append(name[:maxName-1], '…')
	}
	low, high := p.x(r.Elo-r.Error), p.x(r.Elo+r.Error)
	p.add(`<text x="%.1f" y="%.1f" text-anchor="end" fill="#1a1a1a">%s</text>`, p.left-12, y+5, escapeXML(string(name)))
	if s.Games == 0 {
		p.add(`<text x="%.1f" y="%.1f" fill="#555555">no games</text>`, p.left+plotWidth+14, y+5)
		return
	}
	p.add(`<circle cx="%.1f" cy="%.1f" r="5" fill="#1f5fa8"/>`, p.x(r.Elo), y)
	if r.Swept {
		p.add(`<text x="%.1f" y="%.1f" fill="#1a1a1a">%+.0f ± ?</text>`, p.left+plotWidth+14, y+5, r.Elo)
		return
	}
	p.add(`<path d="M%.1f %.1fH%.1fM%.1f %.1fV%.1fM%.1f %.1fV%.1f" stroke="#1f5fa8" stroke-width="2" fill="none"/>`,
		low, y, high, low, y-6, y+6, high, y-6, y+6)
	p.add(`<text x="%.1f" y="%.1f" fill="#1a1a1a">%+.0f ± %.0f</text>`, p.left+plotWidth+14, y+5, r.Elo, r.Error)
}
