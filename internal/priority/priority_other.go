//go:build !linux && !darwin

package priority

import "errors"

// Least is the nice value of the lowest priority.
const Least = 19

// Thread does nothing.
func Thread(int) {}

// Process fails: the standard library cannot do it on this system.
func Process(int) error { return errors.New("this system has no such priority") }

// Idle does nothing.
func Idle() error { return nil }
