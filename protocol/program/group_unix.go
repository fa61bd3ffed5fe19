//go:build unix

package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// leadGroup starts a program in its own process group, so that its children can be
// killed with it.
func leadGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
}

// killGroup kills a program and its children. It returns os.ErrProcessDone if all
// have exited.
func killGroup(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
