// Package program runs another program and talks with it in lines, as the
// protocols between board games and engines do.
//
// Start with [Start]. A [Program] never outlives its Close or the context it
// was started with, nor do programs that it has started itself (where there are
// process groups, and if they stay in its own), and a program that ends or says
// nothing for too long is an error that says so, never a hang.
package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// The errors that callers tell apart.
var (
	ErrEnded   = errors.New("the program has ended")
	ErrTimeout = error(timeoutError{})
)

// timeoutError is the error of a program that says nothing in time.
type timeoutError struct{}

func (timeoutError) Error() string { return "no answer in time" }

// Unwrap lets callers that know no programs find out that time is over.
func (timeoutError) Unwrap() error { return context.DeadlineExceeded }

// quitGrace is how long a program may take to end when it is asked to.
const quitGrace = time.Second

// maxLine is the length of the longest line that is read; what says more on
// one line is taken for a program that has ended.
const maxLine = 1 << 20

// Program is another program that runs.
type Program struct {
	command string
	cmd     *exec.Cmd // nil if it is no process of ours
	in      io.WriteCloser
	lines   chan string // what it says; closed when it says no more
	stderr  stderrTail
	wait    func() error // ends the process if it does not end, once
}

// Start starts a program. It is killed if the context ends, with what it has
// started: a command may be a script that starts the engine.
func Start(ctx context.Context, s Spec) (*Program, error) {
	command := s.Command
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no command: want one, such as ./engine --option")
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // to run what the user names is the purpose
	cmd.Dir = s.Dir
	leadGroup(cmd)
	cmd.WaitDelay = quitGrace // for children that have left its group and keep its output open
	p := &Program{command: command, cmd: cmd, lines: make(chan string, 256)}
	cmd.Stderr = &p.stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("starting %q: %w", command, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %q: %w", command, err)
	}
	p.in = in
	p.wait = sync.OnceValue(p.waitExit)
	go p.readLines(out)
	return p, nil
}

// FromStreams returns a program that is there already, at the other end of two streams,
// which Close closes.
func FromStreams(in io.WriteCloser, out io.ReadCloser) *Program {
	p := &Program{in: in, lines: make(chan string, 256)}
	p.wait = sync.OnceValue(func() error {
		err := errors.Join(in.Close(), out.Close())
		for range p.lines { // listen ends
		}
		return err
	})
	go p.readLines(out)
	return p
}

// readLines passes on what the program says, until it says no more. end waits for
// that.
func (p *Program) readLines(out io.Reader) {
	defer close(p.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		p.lines <- s.Text()
	}
}

// Send sends a line.
func (p *Program) Send(line string) error {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return fmt.Errorf("saying %q: %w", line, p.exitError())
	}
	return nil
}

// ReadLine returns the next line that the program says within a time, without the
// blanks around it. The error wraps ErrEnded, ErrSilent or that of the context.
func (p *Program) ReadLine(ctx context.Context, wait time.Duration) (string, error) {
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", p.exitError()
		}
		return strings.TrimSpace(line), nil
	case <-late.C:
		return "", fmt.Errorf("%w (%v)", ErrTimeout, wait)
	case <-ctx.Done():
		return "", fmt.Errorf("listening: %w", ctx.Err())
	}
}

// WaitFor returns the first line that is wanted, skipping others, within a time
// in all. What says what is waited for, for errors.
func (p *Program) WaitFor(ctx context.Context, what string, wait time.Duration, wanted func(line string) bool) (string, error) {
	until := time.Now().Add(wait)
	for {
		line, err := p.ReadLine(ctx, max(time.Until(until), 0))
		if err != nil {
			if errors.Is(err, ErrTimeout) {
				err = fmt.Errorf("%w (%v)", ErrTimeout, wait)
			}
			return "", fmt.Errorf("waiting for %s: %w", what, err)
		}
		if wanted(line) {
			return line, nil
		}
	}
}

// Request says a line and returns the first line of the answer that begins with a
// word.
func (p *Program) Request(ctx context.Context, line, word string, wait time.Duration) (string, error) {
	if err := p.Send(line); err != nil {
		return "", err
	}
	return p.WaitFor(ctx, word, wait, func(answer string) bool {
		first, _, _ := strings.Cut(answer, " ")
		return first == word
	})
}

// Close asks the program to end by a line ("quit" in all protocols here), and
// ends it if it does not.
func (p *Program) Close(line string) error {
	_ = p.Send(line) // it may have ended
	_ = p.wait()     // how it ended is not ours to judge
	if p.cmd != nil && p.cmd.ProcessState == nil {
		return fmt.Errorf("ending %q: it is still there", p.command)
	}
	return nil
}

// waitExit waits for the program to end, and ends it if it does not. What it has
// started and left behind ends with it.
func (p *Program) waitExit() error {
	_ = p.in.Close()
	kill := time.AfterFunc(quitGrace, func() { _ = killGroup(p.cmd.Process) })
	defer kill.Stop()
	silence := time.NewTimer(2 * quitGrace)
	defer silence.Stop()
	for open := true; open; {
		select {
		case _, open = <-p.lines:
		case <-silence.C:
			open = false
		}
	}
	err := p.cmd.Wait() // closes the pipe, so that listen ends
	_ = killGroup(p.cmd.Process)
	for range p.lines {
	}
	return err //nolint:wrapcheck // callers wrap it
}

// exitError returns the error of a program that has ended, with how it did and what
// it last complained of.
func (p *Program) exitError() error {
	err := p.wait()
	switch said := p.stderr.last(); {
	case said != "":
		return fmt.Errorf("%w (%s), its last words: %q", ErrEnded, status(err), said)
	default:
		return fmt.Errorf("%w (%s)", ErrEnded, status(err))
	}
}

func status(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// CPU returns the processor time that the program has used, once it has ended;
// 0 before.
func (p *Program) CPU() time.Duration {
	if p.cmd == nil || p.cmd.ProcessState == nil {
		return 0
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}
