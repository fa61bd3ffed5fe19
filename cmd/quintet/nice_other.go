//go:build !(linux || darwin)

package main

import "errors"

// lowerPriority fails: the standard library cannot do it on these systems.
func lowerPriority() error { return errors.New("this system has no such priority") }
