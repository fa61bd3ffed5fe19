//go:build unix

package jet

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile opens a file that only one process can hold.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the user names the folder
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		why := errors.New("another program has it open: stop that program, or use another folder")
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			why = fmt.Errorf("locking it: %w", err)
		}
		return nil, errors.Join(why, f.Close())
	}
	return f, nil
}
