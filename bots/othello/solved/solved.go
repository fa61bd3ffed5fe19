// Package solved is a table of starts of Othello on small boards, with and without pits,
// whose values are proved.
//
// [Embedded] loads the [Table], and [Table.Find] looks a position up. Starts that are mirror
// images of each other are one entry, so the table serves both starts. lab/smallboards
// checks the table.
package solved

import (
	"bufio"
	"bytes"
	_ "embed" // the table
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/games/othello"
)

// boards is the table.
//
//go:embed boards.txt
var boards []byte

// Entry is a start whose value is proved.
type Entry struct {
	Size  int
	Pits  string      // such as "a1,b2", in order of cells; "" for none
	Value int         // discs, for the side to move; empty cells count for the winner
	Nodes uint64      // positions that the search visited
	Line  []game.Move // best play
}

// Table is a list of entries, each with Black to move at the start of the course.
type Table struct{ entries map[string]Entry }

// Embedded returns the table that comes with the program.
func Embedded() (*Table, error) { return Read(bytes.NewReader(boards)) }

// Entries returns all entries by size and pits.
func (t *Table) Entries() []Entry {
	return slices.SortedFunc(maps.Values(t.entries), func(a, b Entry) int { return strings.Compare(key(a.Size, a.Pits), key(b.Size, b.Pits)) })
}

func key(size int, pits string) string { return strconv.Itoa(size) + " " + pits }

// Read reads a table. A line holds the size, the pits ("-" for none), the value, the nodes
// and the moves, separated by spaces.
func Read(in io.Reader) (*Table, error) {
	t := &Table{map[string]Entry{}}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		e, err := parse(strings.Fields(lines.Text()))
		if err != nil {
			return nil, fmt.Errorf("line %d of the solved boards: %w", n, err)
		}
		t.entries[key(e.Size, e.Pits)] = e
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the solved boards: %w", err)
	}
	return t, nil
}

// parse parses the words of a line.
func parse(words []string) (e Entry, err error) {
	if len(words) < 4 {
		return e, fmt.Errorf("%d words, expected a size, pits, a value, nodes and moves", len(words))
	}
	if e.Size, err = strconv.Atoi(words[0]); err != nil || e.Size != 4 && e.Size != 6 {
		return e, fmt.Errorf("size %q: expected 4 or 6", words[0])
	}
	if e.Pits = words[1]; e.Pits == "-" {
		e.Pits = ""
	}
	if e.Value, err = strconv.Atoi(words[2]); err != nil {
		return e, fmt.Errorf("value %q: expected a number", words[2])
	}
	if e.Nodes, err = strconv.ParseUint(words[3], 10, 64); err != nil {
		return e, fmt.Errorf("nodes %q: expected a number", words[3])
	}
	for _, word := range words[4:] {
		m, err := coords(e.Size).Move(word)
		if err != nil {
			return e, err //nolint:wrapcheck // it says that it is a move
		}
		e.Line = append(e.Line, m)
	}
	return e, nil
}

// coords names the cells of a board.
func coords(size int) game.Coords { return game.Coords{Rows: size, Cols: size, Base: 1} }

// Find looks up a start: only the four discs are on the board. The line of the entry is
// turned to the position.
func (t *Table) Find(p *othello.Small) (e Entry, ok bool) {
	size := p.Size()
	w := p.Bitboards()
	if bits.OnesCount64(w.Own|w.Other) != 4 {
		return Entry{}, false
	}
	own, other, pits := cells(w.Own, size), cells(w.Other, size), cells(^w.Ground, size)
	black, white := start(size)
	for _, s := range symmetries(size) {
		if s.image(own) != black || s.image(other) != white {
			continue
		}
		e, ok = t.entries[key(size, names(s.image(pits), size))]
		if ok {
			e.Line = s.turnBack(e.Line)
			return e, true
		}
	}
	return Entry{}, false
}
