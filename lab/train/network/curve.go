package network

import (
	"bytes"
	"fmt"
	"io"
)

// Losses are the mean squared errors after an epoch.
type Losses struct{ Training, Validation float64 }

// Record adds the losses of an epoch to the learning curve, which Save keeps.
func (t *Trainer) Record(l Losses) { t.state.Curve = append(t.state.Curve, l) }

// Dimensions of the learning curve, in pixels.
const (
	curveWidth, curveHeight = 640, 360
	curveLeft, curveTop     = 80, 50
	curvePlotWidth          = curveWidth - curveLeft - 110
	curvePlotHeight         = curveHeight - curveTop - 50
	curveLines              = 4
)

// WriteCurve writes the recorded losses by epoch as a self-contained SVG picture. The
// title must not need escaping.
func (t *Trainer) WriteCurve(w io.Writer, title string) error {
	c := curvePlot{losses: t.state.Curve}
	c.scale()
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="#555555">`,
		curveWidth, curveHeight)
	c.add(`<title>%s</title><rect width="100%%" height="100%%" fill="#ffffff"/>`, title)
	c.add(`<text x="%d" y="30" font-size="17" font-weight="bold" fill="#1a1a1a">%s</text>`, curveLeft, title)
	c.axes()
	c.line("training", "#9a9a9a", func(l Losses) float64 { return l.Training })
	c.line("validation", "#1f5fa8", func(l Losses) float64 { return l.Validation })
	c.add(`</svg>`)
	if _, err := w.Write(c.Bytes()); err != nil {
		return fmt.Errorf("writing the learning curve: %w", err)
	}
	return nil
}

// curvePlot draws a learning curve.
type curvePlot struct {
	bytes.Buffer
	losses    []Losses
	low, high float64 // ends of the scale
}

// add adds a line of the file.
func (c *curvePlot) add(format string, args ...any) {
	_, _ = fmt.Fprintf(c, format+"\n", args...) // a Buffer takes everything
}

// scale chooses the ends of the scale, a tenth beyond all losses.
func (c *curvePlot) scale() {
	if len(c.losses) == 0 {
		c.low, c.high = 0, 1
		return
	}
	c.low, c.high = c.losses[0].Training, c.losses[0].Training
	for _, l := range c.losses {
		c.low, c.high = min(c.low, l.Training, l.Validation), max(c.high, l.Training, l.Validation)
	}
	pad := max((c.high-c.low)/10, 1e-6)
	c.low, c.high = c.low-pad, c.high+pad
}

func (c *curvePlot) y(loss float64) float64 {
	return curveTop + curvePlotHeight*(c.high-loss)/(c.high-c.low)
}

func (c *curvePlot) x(epoch int) float64 {
	return curveLeft + curvePlotWidth*float64(epoch-1)/float64(max(len(c.losses)-1, 1))
}

// axes draws lines of equal loss, and numbers the first and the last epoch.
func (c *curvePlot) axes() {
	for i := range curveLines + 1 {
		loss := c.low + (c.high-c.low)*float64(i)/curveLines
		c.add(`<path d="M%d %.1fh%d" stroke="#e4e4e4"/><text x="%d" y="%.1f" text-anchor="end">%.5f</text>`,
			curveLeft, c.y(loss), curvePlotWidth, curveLeft-8, c.y(loss)+4, loss)
	}
	bottom := curveTop + curvePlotHeight + 20
	c.add(`<text x="%d" y="%d" text-anchor="middle">mean squared error by epoch</text>`, curveLeft+curvePlotWidth/2, bottom+18)
	for _, epoch := range []int{1, len(c.losses)} {
		if epoch > 0 {
			c.add(`<text x="%.1f" y="%d" text-anchor="middle">%d</text>`, c.x(epoch), bottom, epoch)
		}
	}
}

// line draws the losses of one kind.
func (c *curvePlot) line(name, colour string, of func(Losses) float64) {
	if len(c.losses) == 0 {
		return
	}
	var points bytes.Buffer
	for i, l := range c.losses {
		fmt.Fprintf(&points, "%.1f,%.1f ", c.x(i+1), c.y(of(l)))
	}
	last := len(c.losses)
	c.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, bytes.TrimSpace(points.Bytes()), colour)
	c.add(`<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, c.x(last), c.y(of(c.losses[last-1])), colour)
	c.add(`<text x="%.1f" y="%.1f" fill="%s">%s</text>`, c.x(last)+8, c.y(of(c.losses[last-1]))+4, colour, name)
}
