package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"quintet/internal/atomicfile"
)

// TestWrite writes a file twice: the second content replaces the first, the mode stays, and
// nothing else is left in the folder, also where the file cannot be replaced.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := atomicfile.Write(path, []byte("a long first"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, []byte("second"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || string(text) != "second" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v: want the second content in the first mode", text, info.Mode(), err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "folder"), nil, 0o600); err == nil {
		t.Error("a file took the place of a folder")
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("%v, %v: want the file and the folder", list, err)
	}
}
