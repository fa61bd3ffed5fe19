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

	// Try tests a freshly started program.
	Try func(s *Session)
}

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
func Run(ctx context.Context, l Limits, start func() (*program.Program, error), clauses []Clause, report func(Finding)) error {
	for _, c := range clauses {
		p, err := start()
		if err != nil {
			return fmt.Errorf("checking: %w", err)
		}
		s := Session{Limits: l, ctx: ctx, program: p}
		err = s.run(c.Try)
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
	case errors.Is(err, errSkip):
		f.Status, f.Detail = Skipped, err.Error()
	case err != nil:
		f.Status, f.Detail = Broken, err.Error()
	}
	return f
}
