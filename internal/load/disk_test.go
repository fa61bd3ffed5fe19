package load_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"quintet/internal/load"
)

// TestDisk makes a disk, cuts its power, fills it and empties it. Where that cannot be
// done, by the wrong user or on a machine without loop devices, it wants it said what
// it takes.
func TestDisk(t *testing.T) {
	_, err := load.Power(t.Context(), load.KillConfig{}, t.TempDir(), func(string) error { return errEnough })
	switch {
	case errors.Is(err, errEnough):
		load.TryDisk(t)
	case os.Geteuid() != 0 && strings.Contains(err.Error(), "needs root"):
	case os.Geteuid() == 0 && (strings.Contains(err.Error(), "mkfs.ext4") || strings.Contains(err.Error(), "mount -t ext4")):
		t.Logf("no disk can be made here: %v", err)
	default:
		t.Errorf("making a disk: %v, want it made, or said what it takes", err)
	}
}

// errEnough ends a measurement before it has begun.
var errEnough = errors.New("enough")
