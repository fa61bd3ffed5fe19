package dialogue

import (
	"fmt"
	"strconv"
)

// answerCell offers the cells that are not refused, in a game whose answers are one cell, and
// returns a function that reads a cell and calls do with it.
func (t *talk) answerCell(refused func(row, col int) string, do func(row, col int)) func() string {
	t.choice = Choice{Turn: t.player, Cells: t.cells, Legal: t.cellsFor(refused), Why: t.whyCell(refused)}
	return func() string {
		letter, number, ok := t.letterNumber()
		if t.ended {
			return ""
		}
		if !t.capitals { // in Connect6 the specification covers any letter and number
			t.form(letter, number)
		}
		row, col, why := t.locate(letter, number, ok)
		if why == "" {
			why = refused(row, col)
		}
		if why == "" {
			do(row, col)
		}
		return why
	}
}

// locate returns the cell that a letter and a number name, or why they name none.
func (t *talk) locate(letter byte, number int, ok bool) (row, col int, why string) {
	row, col = number-t.firstRow, column(letter)
	switch {
	case t.Has("rows-from-zero"):
		row = number
	case t.Has("rows-from-one"):
		row = number - 1
	}
	if t.Has("rows-columns") {
		row, col = col, row
	}
	capitals := t.capitals && !t.Has("any-case") || t.Has("one-case")
	switch {
	case !ok:
		return 0, 0, garbled
	case !inside(t.Size, row, col):
		return 0, 0, "is not on the board"
	case capitals && letter >= 'a':
		return 0, 0, "names a column by a small letter"
	case t.Has("first-row") && row == 0, t.Has("last-row") && row == t.Size-1, t.Has("last-column") && col == t.Size-1:
		return 0, 0, "is not on the board"
	}
	return row, col, ""
}

// cellsFor returns a function that lists the cells that are not refused.
func (t *talk) cellsFor(why func(row, col int) string) func() []string {
	return func() (list []string) {
		for i := range t.Size * t.Size {
			if row, col := i/t.Size, i%t.Size; why(row, col) == "" {
				list = append(list, fmt.Sprintf("%c%d", 'A'+col, row+t.firstRow))
			}
		}
		return list
	}
}

// whyCell returns a function that says why a text is refused.
func (t *talk) whyCell(why func(row, col int) string) func(string) string {
	return func(line string) string {
		number, err := strconv.Atoi(line[1:])
		row, col, no := t.locate(line[0], number, err == nil)
		if no != "" {
			return no
		}
		return why(row, col)
	}
}

// column returns the index of a column letter of either case.
func column(letter byte) int {
	if letter < 'a' {
		return int(letter) - 'A'
	}
	return int(letter) - 'a'
}
