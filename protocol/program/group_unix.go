//go:build unix

package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// leadGroup gives a program that is to be started a process group of its own, so
// that what it starts can be ended with it.
func leadGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
}

// killGroup ends a program and what it has started. It is os.ErrProcessDone if
// nobody is left.
func killGroup(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
