package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"quintet/internal/platform"
)

// Talk is a program that runs while somebody exchanges lines with it, such as an engine. Its owner must call Close.
// Its limits of processor time and memory are for all its processes together.
type Talk struct {
	run   *run
	after func()
	from  *io.PipeReader // its output
	to    *io.PipeWriter
	ended chan struct{} // closed when the program has ended; outcome is set before, and output may be left to read

	watching sync.WaitGroup

	mu      sync.Mutex // guards the rest
	closed  bool       // by its owner
	printed int        // bytes
	outcome Outcome
}

// Start starts the program. It is killed when the context ends.
func (p *Program) Start(ctx context.Context) (*Talk, error) {
	t := &Talk{after: p.after, ended: make(chan struct{})}
	t.run = &run{limits: p.Limits, began: time.Now(), done: make(chan error, 1)}
	t.from, t.to = io.Pipe()
	if err := t.run.begin(ctx, p, t.takeOutput); err != nil {
		return nil, err
	}
	t.watching.Go(t.watch)
	return t, nil
}

// takeOutput passes output on, until it exceeds the limit.
func (t *Talk) takeOutput(b []byte) (int, error) {
	t.mu.Lock()
	t.printed += len(b)
	flood := t.flood()
	t.mu.Unlock()
	if !flood {
		_, _ = t.to.Write(b) // otherwise nobody reads any more
	}
	return len(b), nil
}

// flood reports whether the program has printed too much. The caller holds mu.
func (t *Talk) flood() bool { return t.run.limits.Output > 0 && t.printed > t.run.limits.Output }

// watchInterval is how often the limits of a Talk are checked.
const watchInterval = 10 * time.Millisecond

// watch waits for the end of the program, and kills it if it exceeds a limit.
func (t *Talk) watch() {
	r := t.run
	memory := memoryMeter{max: r.limits.Memory, next: r.began.Add(memoryInterval)}
	wall := stopwatch{limit: r.limits.Wall, last: r.began}
	ending, err := Exited, error(nil)
	for running := true; running; {
		select {
		case err = <-r.done:
			running = false
			continue
		case <-time.After(watchInterval):
		}
		now := time.Now()
		over := false
		if wall.due(now) {
			s := sampleCPU(r.cmd.Process.Pid)
			wall.add(now, s)
			over = r.limits.CPU > 0 && s.used > r.limits.CPU
		}
		switch {
		case memory.exceeded(r.cmd.Process.Pid, now):
			ending = outOfMemory
		case over || wall.expired():
			ending = TimedOut
		case t.floods():
			ending = OutputExceeded
		default:
			continue
		}
		_ = platform.KillGroup(r.cmd.Process)
		err, running = <-r.done, false
	}
	if t.after != nil {
		t.after()
	}
	t.end(ending, err)
}

func (t *Talk) floods() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.flood()
}

// end records how the program ended, and waits until its output has been read.
func (t *Talk) end(ending Ending, err error) {
	t.run.errs.finish()
	out := t.run.outcome(ending, false, err)
	t.mu.Lock()
	t.outcome = out
	t.mu.Unlock()
	close(t.ended)
	t.run.out.finish()
	_ = t.to.Close() // never fails
}

// readTime is how long a program may leave what it is sent unread.
const readTime = 10 * time.Second

// Write sends text to the program. It fails if the program does not read.
func (t *Talk) Write(b []byte) (int, error) {
	if err := t.run.input.SetWriteDeadline(time.Now().Add(readTime)); err != nil {
		return 0, err //nolint:wrapcheck // the caller says what was sent
	}
	return t.run.input.Write(b) //nolint:wrapcheck // the caller says what was sent
}

// Read reads output of the program.
func (t *Talk) Read(b []byte) (int, error) { return t.from.Read(b) } //nolint:wrapcheck // io.EOF

// CPU returns the processor time that the program has used; 0 after its end.
func (t *Talk) CPU() time.Duration { return sampleCPU(t.run.cmd.Process.Pid).used }

// Close kills the program if it still runs, and waits for its end. If the program ended before, the error says why.
func (t *Talk) Close() error {
	_ = t.run.input.Close()
	select {
	case <-t.ended:
	case <-time.After(watchInterval): // after a crash, its output ends before it is known to have ended
		t.mu.Lock()
		t.closed = true
		t.mu.Unlock()
		_ = t.from.Close() // never fails
		_ = platform.KillGroup(t.run.cmd.Process)
		<-t.ended
	}
	_ = t.from.Close()
	t.watching.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	return t.outcome.reason()
}

// reason says why a program ended that should still run.
func (o Outcome) reason() error {
	var text string
	switch o.Ending {
	case Crashed:
		text = "it crashed: " + o.Signal
	case TimedOut:
		text = "it used too much processor time in all, or ran too long"
	case OutputExceeded:
		text = "it printed too much"
	case Failed:
		return fmt.Errorf("it could not be started: %w", o.Err)
	default:
		text = fmt.Sprintf("exit status %d", o.Status)
	}
	lines := strings.Split(strings.TrimSpace(o.Errors), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		text += fmt.Sprintf(", its last error output: %.200q", last)
	}
	return errors.New(text)
}
