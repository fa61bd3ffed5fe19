package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Load reads all games of a file in the text form.
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

// Save writes games to a file in the text form. At any moment, and after a
// crash or a power failure, the file is either the old or the new one.
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

// Replace makes text the content of a file: it is written beside it, forced to
// the disk and then renamed, so that nobody ever finds half of it.
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
	// The file is in place. That the name survives a power failure is
	// asked for, too; systems that cannot sync a folder refuse, and then
	// nothing is lost but that promise.
	if folder, err := os.Open(dir); err == nil { //nolint:gosec // the folder of the file that was just written
		_ = errors.Join(folder.Sync(), folder.Close())
	}
	return nil
}
