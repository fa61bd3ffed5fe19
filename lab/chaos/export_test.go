package chaos

import (
	"os"
	"path/filepath"
	"testing"
)

// TryDisk cuts the power of a disk, fills it and empties it, as Power and Full do. Its error says why no
// disk can be made.
func TryDisk(t *testing.T) error {
	t.Helper()
	d, err := newDisk(t.Context(), t.TempDir(), 16<<20)
	if err != nil {
		return err
	}
	defer func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	}()
	write := func(name, text string, sync bool) {
		f, err := os.Create(filepath.Join(d.dir, name))
		if err == nil {
			_, err = f.WriteString(text)
		}
		if err == nil && sync {
			err = f.Sync()
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close() // a power cut flushes nothing
	}
	write("kept", "forced to the disk", true)
	write("lost", "in memory alone", false)
	if _, err := d.snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	write("later", "after the cut", true)
	if err := d.restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(d.dir, "kept")); err != nil || string(data) != "forced to the disk" {
		t.Errorf("after the power cut the synced file has %q, %v", data, err)
	}
	if data, err := os.ReadFile(filepath.Join(d.dir, "lost")); err == nil && len(data) > 0 {
		t.Errorf("after the power cut a file that was not synced has %q", data)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "later")); err == nil {
		t.Error("a file written after the power cut is there")
	}
	if err := d.fill(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "more"), make([]byte, 1<<16), 0o600); err == nil {
		t.Error("a full disk takes a write")
	}
	return d.empty()
}
