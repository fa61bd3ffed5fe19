package record

import (
	"fmt"
	"os"

	"quintet/internal/atomicfile"
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

// Save writes a game to a file in the text format, whole or not at all.
func Save(path string, r *Record) error {
	text, err := r.Append(nil)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, text, 0o644) //nolint:wrapcheck // it says what was being done
}
