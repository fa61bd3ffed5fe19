package program

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Starter starts a program.
type Starter func() (*Program, error)

// Starter starts the external program. It is killed when the context ends.
func (s Spec) Starter(ctx context.Context) Starter {
	return func() (*Program, error) { return Start(ctx, s) }
}

// Supervisor runs a program for a player: it starts the program on demand and
// restarts it after a fault.
type Supervisor struct {
	start     Starter
	greet     func(*Program) error
	program   *Program      // nil if not running
	cpu       time.Duration // of programs that have exited
	reportCPU bool
	answer    Answer
}

// NewSupervisor starts a program with start and performs the handshake with greet.
func NewSupervisor(s Spec, start Starter, greet func(*Program) error) (*Supervisor, error) {
	k := &Supervisor{start: start, greet: greet, reportCPU: s.ReportCPU}
	_, err := k.Get()
	return k, err
}

// Get returns the running program, and starts one if necessary.
func (k *Supervisor) Get() (*Program, error) {
	if k.program != nil {
		return k.program, nil
	}
	p, err := k.start()
	if err != nil {
		return nil, err
	}
	if err := k.greet(p); err != nil {
		return nil, errors.Join(fmt.Errorf("greeting %q: %w", p.command, err), p.Close("quit"))
	}
	k.program = p
	return p, nil
}

// HandleError stops the program after an error, so that the next Get restarts it, and
// returns the error. It does not stop the program after an IllegalAnswer.
func (k *Supervisor) HandleError(err error) error {
	if err == nil || isAnswer(err) {
		return err
	}
	return errors.Join(err, k.Close())
}

// Close stops the program if it runs.
func (k *Supervisor) Close() error {
	if k.program == nil {
		return nil
	}
	err := k.program.Close("quit")
	k.cpu += k.program.CPU()
	k.program = nil
	return err
}

// SetAnswer stores the last answer.
func (k *Supervisor) SetAnswer(a Answer) { k.answer = a }

// LastAnswer returns the program's answer to the last request for a move.
func (k *Supervisor) LastAnswer() string { return k.answer.Text }

// Score returns the program's score of its last move, in hundredths, from the view of
// its side; ok is false if it sent none.
func (k *Supervisor) Score() (score int, ok bool) { return k.answer.Value, k.answer.Known }

// Nodes returns how many positions the program says that it visited for its last move. ok is
// false if it did not say.
func (k *Supervisor) Nodes() (nodes uint64, ok bool) { return k.answer.Nodes, k.answer.Counted }

// CPU returns the processor time of the programs that have exited; ok is false unless
// Spec.ReportCPU is set.
func (k *Supervisor) CPU() (used time.Duration, ok bool) { return k.cpu, k.reportCPU }
