//go:build unix

package platform

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Lock locks a file exclusively until it is closed. It returns ErrLocked if another process
// has locked it, and other errors on file systems without locks.
func Lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// Map makes a file size bytes long and maps it into memory, shared with other processes that do. The
// mapping lasts until the process ends.
func Map(path string, size int) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the caller's file
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // the mapping stays
	if err := file.Truncate(int64(size)); err != nil {
		return nil, err
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	return memory, nil
}

// LeadGroup starts a program in its own process group, so that its children can be killed
// with it. The end of its context kills the group.
func LeadGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return KillGroup(c.Process) }
}

// KillGroup kills a program and its children. It returns os.ErrProcessDone if all have
// exited.
func KillGroup(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// Descriptors returns how many files and connections the process may have open; 0 if it is unknown.
func Descriptors() int {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil {
		return 0
	}
	return int(min(uint64(r.Cur), math.MaxInt32)) //nolint:unconvert // Cur is signed on some systems
}

// Used returns the processor time that this process has used.
func Used() (Usage, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return Usage{}, fmt.Errorf("reading the processor time: %w", err)
	}
	return Usage{User: time.Duration(u.Utime.Nano()), System: time.Duration(u.Stime.Nano())}, nil
}

// Exec turns this process into another program with the same arguments. It returns only if
// that fails.
func Exec(path string) error {
	return syscall.Exec(path, append([]string{path}, os.Args[1:]...), os.Environ()) //nolint:gosec // the caller trusts the program
}
