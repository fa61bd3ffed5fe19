package check

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/protocol/program"
)

// Session is a dialogue with the program that a clause tests. As with testing.T, the
// first violation ends the clause: all methods stop it with a panic, which Run recovers.
type Session struct {
	Limits
	ctx     context.Context //nolint:containedctx // of one clause
	program *program.Program
	where   string
}

// violation is the panic that ends a clause.
type violation struct{ error }

// errSkip means that a clause does not apply to the program.
var errSkip = errors.New("not tried")

// run returns the violation that try ends with; nil if there is none.
func (s *Session) run(try func(*Session)) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case violation:
			err = v.error
		default:
			panic(v)
		}
	}()
	try(s)
	return nil
}

// At says how far the clause has come, such as "after a pass"; violations begin with these words.
func (s *Session) At(format string, args ...any) { s.where = fmt.Sprintf(format, args...) }

// Check ends the clause if there is an error.
func (s *Session) Check(err error) {
	if err != nil && s.where != "" {
		err = fmt.Errorf("%s: %w", s.where, err)
	}
	if err != nil {
		panic(violation{err})
	}
}

// Failf ends the clause with a violation.
func (s *Session) Failf(format string, args ...any) { s.Check(fmt.Errorf(format, args...)) }

// Skip ends a clause that does not apply to the program.
func (s *Session) Skip(why string) { s.Check(fmt.Errorf("%w: %s", errSkip, why)) }

// Talk calls a function with the program, and ends the clause if it fails.
func (s *Session) Talk(talk func(context.Context, *program.Program) error) {
	s.Check(talk(s.ctx, s.program))
}

// Send sends lines.
func (s *Session) Send(lines ...string) {
	for _, line := range lines {
		s.Check(s.program.Send(line))
	}
}

// ReadLine returns the next line.
func (s *Session) ReadLine() string {
	line, err := s.program.ReadLine(s.ctx, s.Timeout)
	s.Check(err)
	return line
}

// WaitFor skips lines until one is wanted, and returns it. what names it in errors.
func (s *Session) WaitFor(what string, within time.Duration, wanted func(line string) bool) string {
	line, err := s.program.WaitFor(s.ctx, what, within, wanted)
	s.Check(err)
	return line
}

// Request sends a line and returns the first answer that begins with a word.
func (s *Session) Request(line, word string, within time.Duration) string {
	answer, err := s.program.Request(s.ctx, line, word, within)
	s.Check(err)
	return answer
}

// Listen listens for a pause. It returns the first line that is wanted; ok is false if
// there was none.
func (s *Session) Listen(wanted func(line string) bool) (line string, ok bool) {
	line, err := s.program.WaitFor(s.ctx, "nothing", s.Pause, wanted)
	if errors.Is(err, program.ErrTimeout) {
		return "", false
	}
	s.Check(err)
	return line, true
}

// Silent fails if the program sends a line within the pause.
func (s *Session) Silent() {
	if line, ok := s.Listen(func(string) bool { return true }); ok {
		s.Failf("it sends %q", line)
	}
}

// Exit sends a line and fails unless the program then exits in time.
func (s *Session) Exit(line string) {
	err := s.program.Send(line)
	if err == nil {
		_, err = s.program.WaitFor(s.ctx, "the end after "+line, time.Second+s.Tolerance, func(string) bool { return false })
	}
	if !errors.Is(err, program.ErrEnded) {
		s.Check(err)
	}
}
