package chaos_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/chaos"
)

// TestCorrupt checks that damage to the files of a log is detected before wrong data is read, that a
// repair restores the events of a backup, and that a run goes on where another one has ended.
func TestCorrupt(t *testing.T) {
	c := chaos.Config{Dir: t.TempDir(), Events: 60, Seed: 3}
	var before string
	for _, c.Times = range []int{3, 6} {
		r, err := chaos.Corrupt(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			t.Error(f)
		}
		text, err := os.ReadFile(filepath.Join(c.Dir, "corruptions.jsonl"))
		if err != nil || r.Times != c.Times || strings.Count(string(text), "\n") != c.Times || !strings.HasPrefix(string(text), before) {
			t.Errorf("%d corruptions: %+v, %v and a file with\n%s", c.Times, r, err, text)
		}
		if before = string(text); c.Times == 6 && r.Outcomes["closed"] == 0 {
			t.Errorf("no corruption closed a stream: %+v", r)
		}
	}
}
