package game

import (
	"fmt"
	"strconv"
	"strings"
)

// Coords converts between cells and their names: a column letter and a row number.
// Names are written in one case and read in either.
type Coords struct {
	Rows, Cols int  // at most 26 columns
	Base       int  // the number of the first row
	Upper      bool // column letters are written in upper case
	Upward     bool // rows are numbered from the bottom, as in chess
	Pairs      bool // moves go from one cell to another
}

// Name returns the name of a cell: "d3".
func (c Coords) Name(cell Cell) string {
	return c.col(int(cell)%c.Cols) + c.row(int(cell)/c.Cols)
}

func (c Coords) col(i int) string {
	if c.Upper {
		return string(rune('A' + i))
	}
	return string(rune('a' + i))
}

func (c Coords) row(i int) string {
	if c.Upward {
		i = c.Rows - 1 - i
	}
	return strconv.Itoa(c.Base + i)
}

// Labels returns the labels of the rows and columns for a Board.
func (c Coords) Labels() (rows, cols []string) {
	for i := range c.Rows {
		rows = append(rows, c.row(i))
	}
	for i := range c.Cols {
		cols = append(cols, c.col(i))
	}
	return rows, cols
}

// Cell parses a name. The error states the valid range.
func (c Coords) Cell(name string) (Cell, error) {
	cell, rest, ok := c.cutName(name)
	switch {
	case ok && rest == "":
		return cell, nil
	case name != "" && c.outside(name) == name:
		return 0, fmt.Errorf("cell %q: outside of the board of %d by %d, expected %s", name, c.Rows, c.Cols, c.span())
	}
	return 0, fmt.Errorf("cell %q: expected %s", name, c.span())
}

// Pair parses two names written together, such as "d0f2".
func (c Coords) Pair(names string) (from, to Cell, err error) {
	from, rest, ok := c.cutName(names)
	left := names
	if ok {
		left = rest
		to, rest, ok = c.cutName(rest)
	}
	if ok && rest == "" {
		return from, to, nil
	}
	wants := fmt.Sprintf("expected two cells written together, each %s", c.span())
	if cell := c.outside(left); !ok && cell != "" {
		return 0, 0, fmt.Errorf("move %q: %s is outside of the board of %d by %d, %s", names, cell, c.Rows, c.Cols, wants)
	}
	return 0, 0, fmt.Errorf("move %q: %s", names, wants)
}

// Format returns the notation of a move: the names of its cells, or "pass".
func (c Coords) Format(m Move) string {
	from, ok := m.From()
	switch {
	case c.Pairs && ok:
		return c.Name(from) + c.Name(m.To())
	case c.Pairs || m == Pass:
		return PassText
	}
	return c.Name(m.To())
}

// Move parses the notation of a move, which need not be legal.
func (c Coords) Move(s string) (Move, error) {
	switch {
	case IsPass(s):
		return Pass, nil
	case c.Pairs:
		from, to, err := c.Pair(s)
		return Shift(from, to), err
	}
	cell, err := c.Cell(s)
	if err != nil {
		return 0, fmt.Errorf("move: %w", err)
	}
	return Put(cell), nil
}

// Parse parses the notation of a legal move of a position. legal, if not nil, is a faster Legal.
func (c Coords) Parse(p Position, s string, legal func(Move) bool) (Move, error) {
	m, err := c.Move(s)
	if err != nil {
		return 0, err
	}
	if legal == nil && !Legal(p, m) || legal != nil && !legal(m) {
		return 0, fmt.Errorf("move %q: %w", s, Illegal(p, m))
	}
	return m, nil
}

// span describes the valid cells: "from a1 to h8".
func (c Coords) span() string {
	first, last := Cell(0), Cell(c.Rows*c.Cols-1)
	if c.Upward {
		first, last = Cell((c.Rows-1)*c.Cols), Cell(c.Cols-1)
	}
	return "from " + c.Name(first) + " to " + c.Name(last)
}

// cutName parses a name at the start of s and returns the rest.
func (c Coords) cutName(s string) (cell Cell, rest string, ok bool) {
	col, number, size := parseName(s)
	row := number - c.Base
	if c.Upward {
		row = c.Rows - 1 - row
	}
	if size == 0 || col >= c.Cols || row < 0 || row >= c.Rows {
		return 0, "", false
	}
	return Cell(row*c.Cols + col), s[size:], true
}

// outside returns the name at the start of s if its cell lies outside the board.
func (c Coords) outside(s string) string {
	_, _, size := parseName(s)
	if _, _, inside := c.cutName(s); inside {
		return ""
	}
	return s[:size]
}

// parseName parses a letter and a number at the start of s. size is their length in
// bytes, 0 if s starts otherwise. A number has no leading zeros, so that each cell
// has one name.
func parseName(s string) (col, number, size int) {
	if s == "" {
		return 0, 0, 0
	}
	col = int(strings.ToLower(s[:1])[0]) - 'a'
	digits := 0
	for digits+1 < len(s) && s[digits+1] >= '0' && s[digits+1] <= '9' {
		digits++
	}
	text := s[1 : 1+digits]
	number, err := strconv.Atoi(text)
	if err != nil || text != strconv.Itoa(number) || col < 0 || col >= MaxSize {
		return 0, 0, 0
	}
	return col, number, 1 + digits
}
