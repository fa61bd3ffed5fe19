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

// Save writes games to a file in the text format, whole or not at all.
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
	return atomicfile.Write(path, text, 0o644) //nolint:wrapcheck // it says what was being done
}
