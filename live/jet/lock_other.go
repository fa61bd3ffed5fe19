//go:build !unix

package jet

import "os"

// hold opens a file. Where there are no locks, nobody is kept from it.
func hold(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
