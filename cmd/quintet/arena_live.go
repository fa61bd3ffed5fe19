package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"quintet/arena"
)

// liveTable is a table on a terminal that is drawn over itself as games end, at
// most ten times a second. A nil table draws nothing.
type liveTable struct {
	out   io.Writer
	now   func() time.Time
	began time.Time
	drawn time.Time // when it was drawn last
	lines int       // that are on the screen
	games int       // that have ended, also those of an earlier run
	fresh int       // of these, games of this run
}

// redraw is how long a picture stays at least.
const redraw = 100 * time.Millisecond

// liveRows is how many lines the table has at most: less than a small screen.
const liveRows = 20

// Sequences for terminals (ECMA-48 and DEC VT100): nothing here has a colour.
const (
	cutLines  = "\x1b[?7l" // long lines are cut, so that a line stays one
	wrapLines = "\x1b[?7h"
	eraseDown = "\r\x1b[J"
)

func newLiveTable(out io.Writer, now func() time.Time, played int) *liveTable {
	return &liveTable{out: out, now: now, began: now(), games: played}
}

// isTerminal reports whether a person may be looking.
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
	t.games++
	t.fresh++
}

// draw replaces the table, unless it has just been drawn.
func (t *liveTable) draw(lines []string) {
	now := t.now()
	if !t.drawn.IsZero() && now.Sub(t.drawn) < redraw {
		return
	}
	t.drawn = now
	lines = lines[:min(len(lines), liveRows)]
	_, _ = io.WriteString(t.out, t.erase()+cutLines+strings.Join(lines, "\n")+"\n"+wrapLines) // nothing hangs on it
	t.lines = len(lines)
}

// erase returns what takes the table off the screen.
func (t *liveTable) erase() string {
	if t.lines == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA", t.lines) + eraseDown
}

// clear takes the table off the screen, to make room for the result.
func (t *liveTable) clear() {
	if t != nil {
		_, _ = io.WriteString(t.out, t.erase())
		t.lines = 0
	}
}

// progress says how far the run has come, and how long the rest will take.
func (t *liveTable) progress(planned int) string {
	const width = 30
	done := width * t.games / max(planned, 1)
	line := fmt.Sprintf("[%s%s] %d of %d games", strings.Repeat("#", done), strings.Repeat("-", width-done), t.games, planned)
	spent := t.now().Sub(t.began)
	line += fmt.Sprintf(", %v", spent.Round(time.Second))
	if t.fresh > 0 && planned > t.games {
		left := spent / time.Duration(t.fresh) * time.Duration(planned-t.games)
		line += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return line
}

// liveLines is what the live table shows.
func (r *arenaRun) liveLines(s arena.Standings) []string {
	lines := []string{fmt.Sprintf("%s  %s", r.options.Game.Title, r.live.progress(s.Planned))}
	if r.tournament() {
		return append(lines, r.ratingLines(s)...)
	}
	return append(lines, r.matchLine(s))
}
