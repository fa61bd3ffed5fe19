//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// leadGroup does nothing: the standard library has no process groups for these
// systems. Only the program itself is killed.
func leadGroup(*exec.Cmd) {}

func killGroup(leader *os.Process) error { return leader.Kill() }
