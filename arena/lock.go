//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package arena

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file exclusively until it is closed. It ignores file systems without
// locks.
func lock(file *os.File) error {
	if errors.Is(syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		return errors.New("another run is writing it: wait until it ends")
	}
	return nil
}
