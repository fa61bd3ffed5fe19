// Package atomicfile replaces files as a whole: after a crash or a power failure a file has
// its old or its new content, never a part of it.
package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Write writes a temporary file beside the file of a path, syncs it and renames it. A new
// file gets the given mode; one that is replaced keeps its own.
func Write(path string, data []byte, mode os.FileMode) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("saving: %w", errors.Join(err, os.Remove(temporary.Name())))
		}
	}()
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	_, err = temporary.Write(data)
	if err == nil {
		err = temporary.Chmod(mode)
	}
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	if err = os.Rename(temporary.Name(), path); err != nil {
		return err
	}
	SyncFolder(filepath.Dir(path))
	return nil
}

// SyncFolder syncs a folder, so that a rename in it survives a power failure. It ignores
// systems that cannot sync a folder.
func SyncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil { //nolint:gosec // the folder of a file that was just written
		_ = errors.Join(folder.Sync(), folder.Close())
	}
}
