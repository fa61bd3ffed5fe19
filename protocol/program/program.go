// Package program runs an external program and exchanges lines with it, as engine
// protocols do.
//
// Start with [Start]. A [Program] never outlives its Close or its context; on Unix
// the same holds for its children that stay in its process group, and under a keeper
// (package platform) for all of them, even if this process is killed. A program that exits
// or stays silent too long causes an error, never a hang.
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

	"quintet/internal/platform"
)

// Errors, for errors.Is.
var (
	ErrEnded   = errors.New("the program has ended")
	ErrTimeout = error(timeoutError{})
)

// timeoutError is the error of a program that sends no line in time.
type timeoutError struct{}

func (timeoutError) Error() string { return "no answer in time" }

// Unwrap makes the error a context.DeadlineExceeded for callers that do not import
// this package.
func (timeoutError) Unwrap() error { return context.DeadlineExceeded }

// quitGrace is how long a program may take to exit after quit.
const quitGrace = time.Second

// maxLine is the longest line in bytes. A program that sends a longer one counts as
// ended.
const maxLine = 1 << 20

// Program is a running external program.
type Program struct {
	command string
	cmd     *exec.Cmd // nil for FromStreams
	kill    func() error
	in      io.WriteCloser
	lines   chan string // its output; closed at the end of it
	stderr  stderrTail
	wait    func() error // waits for the process to exit, kills it if necessary; runs once
}

// Start starts a program. The program and its children are killed when the context
// ends: a command may be a script that starts the engine.
func Start(ctx context.Context, s Spec) (*Program, error) {
	command := s.Command
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, errors.New("no command: give one, such as ./engine --option")
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // to run what the user names is the purpose
	cmd.Dir = s.Dir
	cmd.WaitDelay = quitGrace // for children that have left its group and keep its output open
	kill, err := platform.Keep(cmd)
	if err != nil {
		return nil, fmt.Errorf("starting %q: %w", command, err)
	}
	p := &Program{command: command, cmd: cmd, kill: kill, lines: make(chan string, 256)}
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

// FromStreams returns a program at the other end of two streams. Close closes them.
func FromStreams(in io.WriteCloser, out io.ReadCloser) *Program {
	p := &Program{in: in, lines: make(chan string, 256)}
	p.wait = sync.OnceValue(func() error {
		err := errors.Join(in.Close(), out.Close())
		for range p.lines { // until readLines returns
		}
		return err
	})
	go p.readLines(out)
	return p
}

// readLines sends the program's lines to p.lines until its output ends; waitExit
// waits for that.
func (p *Program) readLines(out io.Reader) {
	defer close(p.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		p.lines <- s.Text()
	}
}

// Send sends a line to the program.
func (p *Program) Send(line string) error {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return fmt.Errorf("sending %q: %w", line, p.exitError())
	}
	return nil
}

// ReadLine returns the program's next line, trimmed. The error wraps ErrEnded,
// ErrTimeout or that of the context.
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

// WaitFor skips lines until one is wanted, and returns it; wait limits the total
// time. what names the wanted line in errors.
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

// Request sends a line and returns the first answer that begins with a word.
func (p *Program) Request(ctx context.Context, line, word string, wait time.Duration) (string, error) {
	if err := p.Send(line); err != nil {
		return "", err
	}
	return p.WaitFor(ctx, word, wait, func(answer string) bool {
		first, _, _ := strings.Cut(answer, " ")
		return first == word
	})
}

// Close sends a line that ends the program ("quit" in all protocols here), and kills
// the program if it does not exit.
func (p *Program) Close(line string) error {
	_ = p.Send(line) // it may have exited
	_ = p.wait()     // its exit status does not matter
	if p.cmd != nil && p.cmd.ProcessState == nil {
		return fmt.Errorf("ending %q: it is still running", p.command)
	}
	return nil
}

// waitExit waits for the program to exit and kills it after quitGrace. It also kills
// children that are left.
func (p *Program) waitExit() error {
	_ = p.in.Close()
	kill := time.AfterFunc(quitGrace, func() { _ = p.kill() })
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
	err := p.cmd.Wait() // closes the pipe, so that readLines returns
	_ = p.kill()
	for range p.lines {
	}
	return err //nolint:wrapcheck // callers wrap it
}

// exitError returns ErrEnded with the exit status and the last line of standard
// error.
func (p *Program) exitError() error {
	err := p.wait()
	switch said := p.stderr.last(); {
	case said != "":
		return fmt.Errorf("%w (%s), its last error output: %q", ErrEnded, status(err), said)
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

// CPU returns the processor time of a program that has exited, else 0.
func (p *Program) CPU() time.Duration {
	if p.cmd == nil || p.cmd.ProcessState == nil {
		return 0
	}
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}
