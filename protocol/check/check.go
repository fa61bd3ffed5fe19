// Package check holds programs against the clauses of a protocol and says which
// they break.
//
// Start with [Run]. Every clause is tried with a program of its own, so that
// one that hangs or dies breaks one clause and no others. The clauses are with
// the protocols: see packages protocol and reversi.
package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/protocol/program"
)

// Clause is one promise that a protocol makes for programs that speak it.
type Clause struct {
	Name string // a word for it, unique in its protocol
	Text string // what the protocol demands

	// Try finds out with a program that has just been started. An error says
	// how the clause is broken, or wraps ErrSkip.
	Try func(ctx context.Context, p *program.Program) error
}

// ErrSkip is why a clause is not tried.
var ErrSkip = errors.New("not tried")

// Status is what was found of a clause.
type Status string

// The findings.
const (
	OK      Status = "ok"
	Broken  Status = "broken"
	Skipped Status = "skipped"
)

// Finding is what was found of a clause.
type Finding struct {
	Name   string `json:"name"`
	Text   string `json:"clause"`
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"` // how it is broken, or why it is skipped
}

// Limits are what is asked of a program, and how exact it has to be.
type Limits struct {
	Timeout   time.Duration // for a greeting, and for searches that have no time
	Tolerance time.Duration // by how much a time may be overrun, and what is prompt
	Pause     time.Duration // how long nothing may be said where nothing should be
}

// Run tries clauses in their order, each with a program that start starts, and
// reports what it finds. The error is that of the context, or of a program that
// cannot be started at all.
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

// ExpectSilence wants nothing to be said for a time.
func ExpectSilence(ctx context.Context, p *program.Program, pause time.Duration) error {
	line, err := p.ReadLine(ctx, pause)
	switch {
	case err == nil:
		return fmt.Errorf("it says %q", line)
	case errors.Is(err, program.ErrTimeout):
		return nil
	}
	return err
}

// ExpectExit says a line and wants the program to end within a time.
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
