package program

import (
	"errors"
	"fmt"
	"time"
)

// Keeper keeps a program running for a player: it starts the program when it
// is needed, and anew after a fault.
type Keeper struct {
	start func() (*Program, error)
	greet func(*Program) error
	quit  string        // the line that asks it to end
	now   *Program      // nil if none runs
	cpu   time.Duration // used by those that have ended
}

// NewKeeper starts a program and greets it. Quit is the line that asks it to
// end.
func NewKeeper(start func() (*Program, error), greet func(*Program) error, quit string) (*Keeper, error) {
	k := &Keeper{start: start, greet: greet, quit: quit}
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
		return nil, errors.Join(fmt.Errorf("greeting %q: %w", p.command, err), p.Close(k.quit))
	}
	k.now = p
	return p, nil
}

// Fault ends the program if there is an error, so that the next Get starts
// another, and returns the error.
func (k *Keeper) Fault(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, k.Close())
}

// Close ends the program, if it runs.
func (k *Keeper) Close() error {
	if k.now == nil {
		return nil
	}
	err := k.now.Close(k.quit)
	k.cpu += k.now.CPU()
	k.now = nil
	return err
}

// CPU returns the processor time that the programs have used which have ended.
func (k *Keeper) CPU() time.Duration { return k.cpu }
