package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"quintet/internal/cli"
	"quintet/internal/escape"
	"quintet/judge/batch"
)

// progress shows the progress of a batch: on a terminal as one line that is redrawn,
// elsewhere as a line for each verdict.
type progress struct {
	out     io.Writer
	display *cli.Display // nil without a terminal
	now     func() time.Time
	began   time.Time
	all     int

	mu      sync.Mutex // guards the fields below
	running []string
	counts  map[string]int
	done    int
	judged  int // of done, those judged in this run
}

func newProgress(out io.Writer, all int, now func() time.Time) *progress {
	p := &progress{out: out, now: now, began: now(), all: all, counts: map[string]int{}}
	p.display = cli.NewDisplay(out, false, func() []string { return []string{p.line()} })
	return p
}

// started reports that judging of a submission has started.
func (p *progress) started(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = append(p.running, name)
	p.display.Change()
}

// finished reports a verdict.
func (p *progress) finished(done, _ int, r batch.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	if p.display == nil {
		_, _ = fmt.Fprintf(p.out, "%d/%d %s: %s%s\n", done, p.all, escape.Line(r.Name), r.Verdict.Verdict, known)
	}
	p.display.Change()
}

// line describes the progress.
func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
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

// end leaves the last line on the terminal.
func (p *progress) end() {
	if p.display != nil {
		p.display.Stop()
		_, _ = fmt.Fprintln(p.out, p.line())
	}
}
