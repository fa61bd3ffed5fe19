//go:build !linux

package platform

import "os/exec"

// Keep makes a command lead a process group, which kill kills.
func Keep(c *exec.Cmd) (kill func() error, err error) {
	LeadGroup(c)
	return func() error { return KillGroup(c.Process) }, nil
}

// RunKeeper does nothing: there are no keepers on this system.
func RunKeeper([]string) (status int) { return 1 }
