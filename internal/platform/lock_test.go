//go:build unix

package platform

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestLock checks that one open file holds the lock, until it is closed.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	first, second := open(), open()
	if err := Lock(first); err != nil {
		t.Fatal(err)
	}
	if err := Lock(second); !errors.Is(err, ErrLocked) {
		t.Errorf("the second: %v, want ErrLocked", err)
	}
	if err := errors.Join(first.Close(), Lock(second)); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}
