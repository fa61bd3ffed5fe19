//go:build !linux && !darwin

package platform

import "errors"

// LowerThread does nothing.
func LowerThread(int) {}

// SharePriority returns a function that does nothing.
func SharePriority() (take func()) { return func() {} }

// LowerProcess fails: the standard library cannot do it on this system.
func LowerProcess(int) error { return errors.New("this system has no such priority") }

// LowerToIdle does nothing.
func LowerToIdle() error { return nil }
