package await

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Files calls visit for each regular file in a folder. Servers may write there meanwhile: files that are
// removed before they are visited are skipped, also if visit returns fs.ErrNotExist for them.
func Files(t testing.TB, dir string, visit func(path string) error) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			err = visit(path)
		}
		if errors.Is(err, fs.ErrNotExist) && path != dir {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatalf("reading %s: %v", dir, err)
	}
}

// FilesWith returns the paths of the files in a folder that contain text.
func FilesWith(t testing.TB, dir, text string) (paths []string) {
	t.Helper()
	Files(t, dir, func(path string) error {
		data, err := os.ReadFile(path) //nolint:gosec // a file of the folder
		if bytes.Contains(data, []byte(text)) {
			paths = append(paths, path)
		}
		return err
	})
	return paths
}
