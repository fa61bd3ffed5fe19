//go:build !unix

package jet

import "os"

// hold opens a file, without a lock on these systems.
func hold(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
