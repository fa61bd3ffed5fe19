package puzzle

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// Embedded returns the puzzles of a game that come with Quintet, the easiest first.
// There are none for a game without a set.
func Embedded(name string) ([]Puzzle, error) {
	data, err := Packed(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("puzzles of %s: %w", name, err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("puzzles of %s: %w", name, err)
	}
	list, err := Read(unzipped)
	if err != nil {
		return nil, fmt.Errorf("puzzles of %s: %w", name, err)
	}
	slices.SortStableFunc(list, func(a, b Puzzle) int {
		return cmp.Or(cmp.Compare(a.Difficulty, b.Difficulty), cmp.Compare(len(a.Turns), len(b.Turns)))
	})
	return list, nil
}

// Read reads puzzles, one JSON object a line.
func Read(r io.Reader) (list []Puzzle, err error) {
	for d := json.NewDecoder(r); ; {
		var p Puzzle
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("puzzle %d: %w", len(list)+1, err)
		}
		list = append(list, p)
	}
}
