package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"quintet/arena"
)

// liveTable redraws a table in place on a terminal while games are played: on every
// change, at most ten times a second, and once a second for the clock.
type liveTable struct {
	out     io.Writer
	now     func() time.Time
	began   time.Time
	before  int                            // games of an earlier run
	table   func(arena.Standings) []string // the lines below the progress
	stopped chan struct{}
	drawer  sync.WaitGroup

	screen sync.Mutex // guards out and lines
	lines  int        // number of lines on the screen

	mu        sync.Mutex // guards the fields below
	standings arena.Standings
	games     int // finished games, including those of an earlier run
	fresh     bool
}

// redraw is the shortest time between two pictures, and refresh the longest.
const (
	redraw  = 100 * time.Millisecond
	refresh = time.Second
)

// liveRows is the most lines the table shows, to fit a small screen.
const liveRows = 20

// Control sequences of terminals (ECMA-48 and DEC VT100).
const (
	cutLines  = "\x1b[?7l" // cut long lines instead of wrapping them
	wrapLines = "\x1b[?7h"
	eraseDown = "\r\x1b[J"
)

// newLiveTable returns a table that is drawn until stop is called.
func newLiveTable(out io.Writer, now func() time.Time, s arena.Standings, before int, table func(arena.Standings) []string) *liveTable {
	t := &liveTable{
		out: out, now: now, began: now(), before: before, table: table, stopped: make(chan struct{}),
		standings: s, games: before,
	}
	t.draw()
	t.drawer.Go(t.run)
	return t
}

// isTerminal reports whether w writes to a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	term := os.Getenv("TERM")
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && term != "" && term != "dumb"
}

// ended counts a game.
func (t *liveTable) ended() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.games++
	t.fresh = true
}

// show takes new standings.
func (t *liveTable) show(s arena.Standings) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.standings, t.fresh = s, true
}

// run draws until the table is stopped.
func (t *liveTable) run() {
	ticks := time.NewTicker(redraw)
	defer ticks.Stop()
	drawn := t.now()
	for {
		select {
		case <-t.stopped:
			return
		case <-ticks.C:
		}
		t.mu.Lock()
		due := t.fresh || t.now().Sub(drawn) >= refresh
		t.mu.Unlock()
		if due {
			drawn = t.now()
			t.draw()
		}
	}
}

// Write prints lines permanently, above the table.
func (t *liveTable) Write(b []byte) (int, error) {
	t.screen.Lock()
	_, _ = io.WriteString(t.out, t.erase()) // the next write reports the error
	shown := t.lines > 0
	t.lines = 0
	n, err := t.out.Write(b)
	t.screen.Unlock()
	if shown {
		t.draw()
	}
	return n, err //nolint:wrapcheck // the writer's own error
}

// draw replaces the table.
func (t *liveTable) draw() {
	t.screen.Lock()
	defer t.screen.Unlock()
	t.mu.Lock()
	s, games := t.standings, t.games
	t.fresh = false
	t.mu.Unlock()
	lines := append([]string{t.progress(games, s.Planned)}, t.table(s)...)
	lines = lines[:min(len(lines), liveRows)]
	_, _ = io.WriteString(t.out, t.erase()+cutLines+strings.Join(lines, "\n")+"\n"+wrapLines) // only a progress display
	t.lines = len(lines)
}

// erase returns the control sequence that removes the table from the screen.
func (t *liveTable) erase() string {
	if t.lines == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA", t.lines) + eraseDown
}

// stop removes the table from the screen, to make room for the result. It does nothing
// on a nil table.
func (t *liveTable) stop() {
	if t == nil {
		return
	}
	close(t.stopped)
	t.drawer.Wait()
	t.screen.Lock()
	defer t.screen.Unlock()
	_, _ = io.WriteString(t.out, t.erase()) // only a progress display
	t.lines = 0
}

// progress describes how many games have ended and how long the rest will take.
func (t *liveTable) progress(games, planned int) string {
	const width = 30
	done := width * min(games, planned) / max(planned, 1)
	spent := t.now().Sub(t.began)
	line := fmt.Sprintf("[%s%s] %d of %d games, %v", strings.Repeat("#", done), strings.Repeat("-", width-done), games, planned, spent.Round(time.Second))
	if played := games - t.before; played > 0 && planned > games {
		left := spent / time.Duration(played) * time.Duration(planned-games)
		line += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return line
}
