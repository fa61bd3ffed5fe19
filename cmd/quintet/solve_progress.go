package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"quintet/bots"
)

// progressInterval is the time between two lines of progress of a solver.
const progressInterval = time.Second

// showSolving prints how far a solver is, in intervals, until end is called: on a terminal as
// one line that is redrawn, elsewhere, if wanted, as a line each.
func showSolving(out io.Writer, p *bots.SolveProgress, wanted bool) (end func()) {
	file, ok := out.(*os.File)
	redraw := ok && term.IsTerminal(file.Fd())
	if !redraw && !wanted {
		return func() {}
	}
	began := time.Now()
	ticker := time.NewTicker(progressInterval)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_, _ = io.WriteString(out, solvingLine(p, time.Since(began), redraw)) // only a progress display
			case <-stop:
				if redraw {
					_, _ = io.WriteString(out, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}

// solvingLine describes how far a solver is after a time.
func solvingLine(p *bots.SolveProgress, passed time.Duration, redraw bool) string {
	low, high := p.Bounds()
	nodes := float64(p.Nodes()) / 1e6
	line := fmt.Sprintf("%.0f s: %.1f M positions, %.1f M/s, value %+d to %+d", passed.Seconds(), nodes, nodes/passed.Seconds(), low, high)
	if redraw {
		return "\r" + line + "\x1b[K"
	}
	return line + "\n"
}
