package program

import (
	"errors"
	"fmt"
	"time"
)

// Keeper keeps a program running for a player: it starts the program when it
// is needed, and anew after a fault.
type Keeper struct {
	start   func() (*Program, error)
	greet   func(*Program) error
	now     *Program      // nil if none runs
	cpu     time.Duration // used by those that have ended
	tellCPU bool
	answer  Answer
}

// NewKeeper starts a program that is described, by a function, and greets it.
func NewKeeper(s Spec, start func() (*Program, error), greet func(*Program) error) (*Keeper, error) {
	k := &Keeper{start: start, greet: greet, tellCPU: s.TellCPU}
	_, err := k.Get()
	return k, err
}

// Get returns the program, and starts it if there is none.
func (k *Keeper) Get() (*Program, error) {
	if k.now != nil {
		return k.now, nil
	}
	p, err := k.start()
	if err != nil {
		return nil, err
	}
	if err := k.greet(p); err != nil {
		return nil, errors.Join(fmt.Errorf("greeting %q: %w", p.command, err), p.Close("quit"))
	}
	k.now = p
	return p, nil
}

// Fault ends the program if there is an error, so that the next Get starts
// another, and returns the error. That of an answer, as NoMove makes it, does not
// end it.
func (k *Keeper) Fault(err error) error {
	if err == nil || answered(err) {
		return err
	}
	return errors.Join(err, k.Close())
}

// Close ends the program, if it runs.
func (k *Keeper) Close() error {
	if k.now == nil {
		return nil
	}
	err := k.now.Close("quit")
	k.cpu += k.now.CPU()
	k.now = nil
	return err
}

// Note keeps an answer; the one before is forgotten.
func (k *Keeper) Note(a Answer) { k.answer = a }

// Said returns the program's answer to the last request for a move.
func (k *Keeper) Said() string { return k.answer.Text }

// Score returns what the program thinks of its last move, in hundredths, from
// the view of its side; ok is false if it has not said so.
func (k *Keeper) Score() (score int, ok bool) { return k.answer.Value, k.answer.Known }

// CPU returns the processor time that the programs have used which have ended.
// It is not ok if the description did not ask for it.
func (k *Keeper) CPU() (used time.Duration, ok bool) { return k.cpu, k.tellCPU }
