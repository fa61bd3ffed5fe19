package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Load parses all games of a file in the text format.
func Load(path string) ([]*Record, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the caller chooses which file
	if err != nil {
		return nil, fmt.Errorf("loading a record: %w", err)
	}
	list, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s, %w", path, err)
	}
	return list, nil
}

// Save writes games to a file in the text format, atomically, see Replace.
func Save(path string, list ...*Record) error {
	var text []byte
	for i, r := range list {
		if i > 0 {
			text = append(text, '\n')
		}
		var err error
		if text, err = r.Append(text); err != nil {
			return fmt.Errorf("saving game %d: %w", i+1, err)
		}
	}
	return Replace(path, text)
}

// Replace atomically replaces the content of a file: it writes a temporary file
// beside it, syncs and renames it. After a crash or a power failure the file has the
// old or the new content.
func Replace(path string, text []byte) (err error) {
	dir := filepath.Dir(path)
	temporary, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("saving: %w", errors.Join(err, os.Remove(temporary.Name())))
		}
	}()
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	_, err = temporary.Write(text)
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
	// The file is in place. Sync the folder as well, so that the rename survives a
	// power failure; ignore systems that cannot sync a folder.
	if folder, err := os.Open(dir); err == nil { //nolint:gosec // the folder of the file that was just written
		_ = errors.Join(folder.Sync(), folder.Close())
	}
	return nil
}
