//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package arena

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other runs from the file until it is closed, in whatever way. A file
// system without locks is gone on with.
func lock(file *os.File) error {
	if errors.Is(syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		return errors.New("another run is writing it: want to wait until that has ended")
	}
	return nil
}
