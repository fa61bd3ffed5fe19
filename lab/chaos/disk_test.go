package chaos_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"quintet/lab/chaos"
)

// TestDisk makes a disk, cuts its power, fills it and empties it. Without root or loop
// devices it checks that the error says what is needed.
func TestDisk(t *testing.T) {
	_, err := chaos.Power(t.Context(), chaos.KillConfig{}, t.TempDir(), func(string) error { return errEnough })
	switch {
	case errors.Is(err, errEnough):
		chaos.TryDisk(t)
	case os.Geteuid() != 0 && strings.Contains(err.Error(), "needs root"):
	case os.Geteuid() == 0 && (strings.Contains(err.Error(), "mkfs.ext4") || strings.Contains(err.Error(), "mount -t ext4")):
		t.Logf("no disk can be made here: %v", err)
	default:
		t.Errorf("making a disk: %v, want success or an error that says what is needed", err)
	}
}

// errEnough stops Power before the first start.
var errEnough = errors.New("enough")
