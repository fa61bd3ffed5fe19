package chaos_test

import (
	"os"
	"strings"
	"testing"

	"quintet/lab/chaos"
)

// TestDisk makes a disk, cuts its power, fills it and empties it. Without root or loop
// devices it checks that the error says what is needed.
func TestDisk(t *testing.T) {
	err := chaos.TryDisk(t)
	switch {
	case err == nil:
	case os.Geteuid() != 0 && strings.Contains(err.Error(), "needs root"):
	case os.Geteuid() == 0 && (strings.Contains(err.Error(), "mkfs.ext4") || strings.Contains(err.Error(), "mount -t ext4")):
		t.Logf("no disk can be made here: %v", err)
	default:
		t.Errorf("making a disk: %v, want success or an error that says what is needed", err)
	}
}
