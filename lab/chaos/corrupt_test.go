package chaos_test

import (
	"testing"

	"quintet/lab/chaos"
)

// TestCorrupt checks that damage to the files of a log is detected before wrong data is read, and that a
// repair restores the events of a backup.
func TestCorrupt(t *testing.T) {
	r, err := chaos.Corrupt(t.Context(), chaos.Config{Dir: t.TempDir(), Events: 60, Times: 6, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Error(f)
	}
	if r.Closed == 0 || r.Restored != r.Times {
		t.Errorf("%d of %d corruptions closed a stream, %d were repaired: %q", r.Closed, r.Times, r.Restored, r.Kinds)
	}
}
