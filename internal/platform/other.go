//go:build !unix

package platform

import (
	"errors"
	"os"
	"os/exec"
)

// Lock does nothing: the standard library has no file locks for these systems.
func Lock(*os.File) error { return nil }

// LeadGroup does nothing: the standard library has no process groups for these systems.
func LeadGroup(*exec.Cmd) {}

// KillGroup kills the program alone.
func KillGroup(leader *os.Process) error { return leader.Kill() }

// Descriptors is unknown.
func Descriptors() int { return 0 }

// Used fails: the standard library does not measure it on these systems.
func Used() (Usage, error) { return Usage{}, errors.ErrUnsupported }

// Exec fails: a process stays its program on these systems.
func Exec(string) error { return errors.ErrUnsupported }

// Map fails: the standard library does not map files on these systems.
func Map(string, int) ([]byte, error) { return nil, errors.ErrUnsupported }
