package await_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quintet/lab/await"
)

// TestFiles reads a folder while files and folders vanish from it.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b", "c/d"} {
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(name), []byte("text of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := await.FilesWith(t, dir, "text of"); !slices.Equal(got, []string{path("a"), path("b"), path("c/d")}) {
		t.Errorf("found %q", got)
	}
	visited := 0
	await.Files(t, dir, func(name string) error {
		visited++
		for _, each := range []string{"a", "b", "c"} {
			if err := os.RemoveAll(path(each)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := os.ReadFile(name)
		return err
	})
	if visited != 2 {
		t.Errorf("visited %d files, want a and b, which was listed with it", visited)
	}
	if failure(t, func(t testing.TB) { await.Files(t, path("none"), nil) }) == "" {
		t.Error("a folder that is not there is read")
	}
}
