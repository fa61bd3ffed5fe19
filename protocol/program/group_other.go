//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// leadGroup does nothing: these systems have no process groups in the standard
// library. Only the program itself is ended.
func leadGroup(*exec.Cmd) {}

func killGroup(leader *os.Process) error { return leader.Kill() }
