// Package check tests whether an external program conforms to a protocol, clause by
// clause.
//
// Start with [Run]. Every clause runs against a fresh process, so that a hang or a
// crash fails only one clause. Packages protocol and reversi define the clauses.
package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/protocol/program"
)

// Clause is one requirement of a protocol.
type Clause struct {
	Name string // unique in its protocol
	Text string // the requirement in words

	// Try tests a freshly started program. An error describes the violation or wraps
	// ErrSkip.
	Try func(ctx context.Context, p *program.Program) error
}

// ErrSkip means that a clause does not apply to the program.
var ErrSkip = errors.New("not tried")

// Status is the result of a clause.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Broken  Status = "broken"
	Skipped Status = "skipped"
)

// Finding is the result of a clause with its details.
type Finding struct {
	Name   string `json:"name"`
	Text   string `json:"clause"`
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"` // the violation, or the reason for skipping
}

// Limits are the timeouts of a check.
type Limits struct {
	Timeout   time.Duration // for the handshake and for searches without a time limit
	Tolerance time.Duration // allowed overrun of a time limit, and the limit for an immediate answer
	Pause     time.Duration // how long to listen where the program must stay silent
}

// Run tests clauses in order, each with a program from start, and reports the
// findings. It fails if the context ends or the program cannot be started.
func Run(ctx context.Context, start func() (*program.Program, error), clauses []Clause, report func(Finding)) error {
	for _, c := range clauses {
		p, err := start()
		if err != nil {
			return fmt.Errorf("checking: %w", err)
		}
		err = c.Try(ctx, p)
		if closing := p.Close("quit"); closing != nil {
			return closing
		}
		if ctx.Err() != nil {
			return fmt.Errorf("checking: %w", ctx.Err())
		}
		report(c.finding(err))
	}
	return nil
}

func (c Clause) finding(err error) Finding {
	f := Finding{Name: c.Name, Text: c.Text, Status: OK}
	switch {
	case errors.Is(err, ErrSkip):
		f.Status, f.Detail = Skipped, err.Error()
	case err != nil:
		f.Status, f.Detail = Broken, err.Error()
	}
	return f
}

// ExpectSilence fails if the program sends a line within the pause.
func ExpectSilence(ctx context.Context, p *program.Program, pause time.Duration) error {
	line, err := p.ReadLine(ctx, pause)
	switch {
	case err == nil:
		return fmt.Errorf("it sends %q", line)
	case errors.Is(err, program.ErrTimeout):
		return nil
	}
	return err
}

// ExpectExit sends a line and fails unless the program exits in time.
func ExpectExit(ctx context.Context, p *program.Program, line string, within time.Duration) error {
	err := p.Send(line)
	if err == nil {
		_, err = p.WaitFor(ctx, "the end after "+line, within, func(string) bool { return false })
	}
	if errors.Is(err, program.ErrEnded) {
		return nil
	}
	return err
}
