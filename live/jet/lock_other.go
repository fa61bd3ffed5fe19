//go:build !unix

package jet

import "os"

// lockFile opens a file, without a lock on these systems.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
