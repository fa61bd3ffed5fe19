package load

import (
	"os"
	"path/filepath"
	"testing"
)

// TryDisk uses a disk as Power and Full do.
func TryDisk(t *testing.T) {
	t.Helper()
	d, err := newDisk(t.Context(), t.TempDir(), 16<<20)
	if err != nil {
		t.Fatalf("this is root, and a disk cannot be made: %v", err)
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
		_ = f.Close() // a power cut asks nobody
	}
	write("kept", "forced to the disk", true)
	write("lost", "in memory alone", false)
	if _, err := d.copy(); err != nil {
		t.Fatal(err)
	}
	write("later", "after the cut", true)
	if err := d.swap(t.Context()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(d.dir, "kept")); err != nil || string(data) != "forced to the disk" {
		t.Errorf("what was forced to the disk is %q after the cut, %v", data, err)
	}
	if data, err := os.ReadFile(filepath.Join(d.dir, "lost")); err == nil && len(data) > 0 {
		t.Errorf("what was in memory alone is there after the cut: %q", data)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "later")); err == nil {
		t.Error("what was written after the cut is there")
	}
	if err := d.fill(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "more"), make([]byte, 1<<16), 0o600); err == nil {
		t.Error("a full disk takes more")
	}
	if err := d.empty(); err != nil {
		t.Error(err)
	}
}
