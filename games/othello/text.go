package othello

import (
	"fmt"
	"strconv"
	"strings"

	"quintet/game"
)

// The letters of a position's text.
const (
	discs        = "XO" // of the two sides and of the side to move
	pit     byte = '#'
	letters      = discs + string(pit)
)

// coords names the cells like every Othello program.
func coords(size int) game.Coords { return game.Coords{Rows: size, Cols: size, Base: 1} }

// sizeOf parses the size option of a set-up.
func sizeOf(s game.Setup) (int, error) {
	text := s[sizeOption.Name]
	if err := sizeOption.Check(text); err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// String returns the layout in one line: rows from the top and the side to
// move, such as "4/1XO1/1OX1/3# X".
func (l layout) String() string {
	rows := game.FormatRows(l.size, l.size, func(c game.Cell) byte { return l.cells[c] })
	return rows + " " + string(discs[l.turn&1])
}

// setup returns the options of the layout; pits are listed row by row from the top
// left. The start is known only before the first move.
func (l layout) setup() game.Setup {
	var pits []string
	for i, letter := range l.cells {
		if letter == pit {
			pits = append(pits, coords(l.size).Name(game.Cell(i)))
		}
	}
	s := game.Setup{sizeOption.Name: strconv.Itoa(l.size), pitsOption.Name: strings.Join(pits, ",")}
	for _, start := range startOption.Choices {
		if l.starts(start) {
			s[startOption.Name] = start
		}
	}
	return s
}

// starts reports whether the layout is a start, whatever its pits.
func (l layout) starts(name string) bool {
	start := startLayout(l.size, name)
	for i, letter := range l.cells {
		if letter != start.cells[i] && letter != pit {
			return false
		}
	}
	return l.turn == game.First
}

// read parses the output of String. It accepts any discs and pits on a board of even
// size.
func read(text string) (game.Position, error) {
	fields, err := game.SplitPosition(text, 2, "board", "side to move (X or O)")
	if err != nil {
		return nil, err
	}
	cells, size, err := game.ParseRows(fields[0], letters)
	if err == nil && (size < minSize || size%2 != 0) {
		err = fmt.Errorf("board of %d rows: expected an even number from %d to %d", size, minSize, maxSize)
	}
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	turn, err := game.ParseSide(fields[1], discs)
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	return layout{cells, size, turn}.position(), nil
}

// board describes how the layout looks, with the numbers of discs as its note.
func (l layout) board() game.Board {
	rows, cols := coords(l.size).Labels()
	b := game.Board{Rows: rows, Cols: cols, Cells: make([]game.Piece, len(l.cells))}
	var count [2]int
	for i, letter := range l.cells {
		if letter == pit {
			b.Cells[i].Kind = game.Pit
		} else if side := strings.IndexByte(discs, letter); side >= 0 {
			b.Cells[i] = game.Piece{Kind: game.Stone, Side: game.Side(side)}
			count[side]++
		}
	}
	b.Note = fmt.Sprintf("Black %d, White %d", count[0], count[1])
	return b
}
