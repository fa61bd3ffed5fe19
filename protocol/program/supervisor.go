package program

import (
	"errors"
	"fmt"
	"time"
)

// Supervisor keeps a program running for a player: it starts the program when it
// is needed, and anew after a fault.
type Supervisor struct {
	start     func() (*Program, error)
	greet     func(*Program) error
	program   *Program      // nil if none runs
	cpu       time.Duration // used by those that have ended
	reportCPU bool
	answer    Answer
}

// NewSupervisor starts a program that is described, by a function, and greets it.
func NewSupervisor(s Spec, start func() (*Program, error), greet func(*Program) error) (*Supervisor, error) {
	k := &Supervisor{start: start, greet: greet, reportCPU: s.ReportCPU}
	_, err := k.Get()
	return k, err
}

// Get returns the program, and starts it if there is none.
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

// HandleError ends the program if there is an error, so that the next Get starts
// another, and returns the error. That of an answer, as NoMove makes it, does not
// end it.
func (k *Supervisor) HandleError(err error) error {
	if err == nil || isAnswer(err) {
		return err
	}
	return errors.Join(err, k.Close())
}

// Close ends the program, if it runs.
func (k *Supervisor) Close() error {
	if k.program == nil {
		return nil
	}
	err := k.program.Close("quit")
	k.cpu += k.program.CPU()
	k.program = nil
	return err
}

// SetAnswer keeps an answer; the one before is forgotten.
func (k *Supervisor) SetAnswer(a Answer) { k.answer = a }

// LastAnswer returns the program's answer to the last request for a move.
func (k *Supervisor) LastAnswer() string { return k.answer.Text }

// Score returns what the program thinks of its last move, in hundredths, from
// the view of its side; ok is false if it has not said so.
func (k *Supervisor) Score() (score int, ok bool) { return k.answer.Value, k.answer.Known }

// CPU returns the processor time that the programs have used which have ended.
// It is not ok if the description did not ask for it.
func (k *Supervisor) CPU() (used time.Duration, ok bool) { return k.cpu, k.reportCPU }
