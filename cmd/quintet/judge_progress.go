package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"quintet/judge/batch"
	"quintet/judge/escape"
)

// progress shows the progress of a batch: on a terminal as one line that is redrawn,
// elsewhere as a line for each verdict.
type progress struct {
	out     io.Writer
	width   int // of the terminal; 0 without one
	now     func() time.Time
	began   time.Time
	running []string
	counts  map[string]int
	done    int
	all     int
	judged  int // of done, those judged in this run
}

func newProgress(out io.Writer, all int, now func() time.Time) *progress {
	p := &progress{out: out, now: now, began: now(), all: all, counts: map[string]int{}}
	if file, ok := out.(*os.File); ok && term.IsTerminal(file.Fd()) {
		p.width = 80
		if w, _, err := term.GetSize(file.Fd()); err == nil && w > 0 {
			p.width = w
		}
	}
	return p
}

// started reports that judging of a submission has started.
func (p *progress) started(name string) {
	p.running = append(p.running, name)
	p.show()
}

// finished reports a verdict.
func (p *progress) finished(done, _ int, r batch.Result) {
	if i := slices.Index(p.running, r.Name); i >= 0 {
		p.running = slices.Delete(p.running, i, i+1)
	}
	p.done = done
	p.counts[r.Verdict.Verdict]++
	known := ""
	if r.Cached() {
		known = " (from an earlier run)"
	} else {
		p.judged++
	}
	if p.width == 0 {
		_, _ = fmt.Fprintf(p.out, "%d/%d %s: %s%s\n", done, p.all, escape.Line(r.Name), r.Verdict.Verdict, known)
		return
	}
	p.show()
}

// show redraws the line on a terminal.
func (p *progress) show() {
	if p.width == 0 {
		return
	}
	line := []rune(p.line())
	if len(line) >= p.width {
		line = append(line[:max(p.width-2, 0)], '…')
	}
	_, _ = fmt.Fprintf(p.out, "\r%s\x1b[K", string(line))
}

func (p *progress) line() string {
	parts := []string{fmt.Sprintf("%d of %d judged", p.done, p.all)}
	for _, v := range slices.Sorted(maps.Keys(p.counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", v, p.counts[v]))
	}
	if left := p.remaining(); left > 0 {
		parts = append(parts, left.Round(time.Second).String()+" left")
	}
	if len(p.running) > 0 {
		parts = append(parts, "now "+escape.Line(strings.Join(p.running, ", ")))
	}
	return strings.Join(parts, " · ")
}

// remaining estimates how long the rest will take.
func (p *progress) remaining() time.Duration {
	if p.judged == 0 {
		return 0
	}
	return p.now().Sub(p.began) / time.Duration(p.judged) * time.Duration(p.all-p.done)
}

// end finishes the line.
func (p *progress) end() {
	if p.width == 0 {
		return
	}
	p.running = nil
	p.show()
	_, _ = fmt.Fprintln(p.out)
}
