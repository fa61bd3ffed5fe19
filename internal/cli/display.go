package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quintet/internal/escape"
)

// Display shows how far a command is, by lines that it redraws in place on a terminal: when
// they change, at most ten times a second, and once a second for clocks. A nil display shows
// nothing.
type Display struct {
	out     io.Writer
	inPlace bool // otherwise, lines are printed once a second, one below the other
	lines   func() []string
	stopped chan struct{}
	drawer  sync.WaitGroup
	fresh   atomic.Bool // the lines have changed

	mu    sync.Mutex // guards out and shown
	shown int        // lines on the screen
}

// redraw is the shortest time between two pictures; every refreshTicks of them the picture
// is drawn even if nothing has changed.
const (
	redraw       = 100 * time.Millisecond
	refreshTicks = 10
)

// displayRows is the most lines that a display shows, to fit a small screen.
const displayRows = 20

// Control sequences of terminals (ECMA-48 and DEC VT100).
const (
	cutLines  = "\x1b[?7l" // cut long lines instead of wrapping them
	wrapLines = "\x1b[?7h"
	eraseDown = "\r\x1b[J"
)

// NewDisplay returns a display of the lines that a function returns, until Stop is called.
// The function is called from other goroutines, one at a time, and must not write to the
// display. Without a terminal the lines
// are printed each second if wanted, and otherwise it returns nil.
func NewDisplay(out io.Writer, wanted bool, lines func() []string) *Display {
	inPlace := OnTerminal(out)
	if !inPlace && !wanted {
		return nil
	}
	return startDisplay(out, inPlace, lines)
}

func startDisplay(out io.Writer, inPlace bool, lines func() []string) *Display {
	d := &Display{out: out, inPlace: inPlace, lines: lines, stopped: make(chan struct{})}
	if inPlace {
		d.draw() // no one else has it yet
	}
	d.drawer.Go(d.run)
	return d
}

// Change says that the lines have changed.
func (d *Display) Change() {
	if d != nil {
		d.fresh.Store(true)
	}
}

// run draws until the display is stopped.
func (d *Display) run() {
	ticks := time.NewTicker(redraw)
	defer ticks.Stop()
	for idle := 1; ; idle++ {
		select {
		case <-d.stopped:
			return
		case <-ticks.C:
		}
		if d.fresh.Load() && d.inPlace || idle >= refreshTicks {
			idle = 0
			d.mu.Lock()
			d.draw()
			d.mu.Unlock()
		}
	}
}

// Write prints lines permanently, above the display.
func (d *Display) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	shown := d.shown > 0
	_, _ = io.WriteString(Raw(d.out), d.erase()) // the next write reports the error
	n, err := d.out.Write(b)
	if shown {
		d.draw()
	}
	return n, err //nolint:wrapcheck // the writer's own error
}

// draw replaces the lines. The caller holds mu.
func (d *Display) draw() {
	d.fresh.Store(false)
	lines := d.lines()
	lines = lines[:min(len(lines), displayRows)]
	out, text := d.out, strings.Join(lines, "\n")+"\n"
	if d.inPlace {
		out, text = Raw(out), d.erase()+cutLines+escape.Controls(text)+wrapLines
		d.shown = len(lines)
	}
	_, _ = io.WriteString(out, text) // only a display
}

// erase returns the control sequence that removes the lines from the screen.
func (d *Display) erase() string {
	shown := d.shown
	d.shown = 0
	if shown == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA", shown) + eraseDown
}

// Stop removes the lines from the screen, to make room for the result.
func (d *Display) Stop() {
	if d == nil {
		return
	}
	close(d.stopped)
	d.drawer.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = io.WriteString(Raw(d.out), d.erase()) // only a display
}
