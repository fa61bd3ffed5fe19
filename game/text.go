package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest number of rows and columns of any board: single letters name
// the columns.
const MaxSize = 26

// Blank stands for an empty cell between ParseRows and FormatRows.
const Blank = '.'

// FormatRows returns the cells of a board in one word, like FEN: rows from the top,
// separated by '/', a letter for each piece and a number for a run of empty cells. at
// returns the letter of a cell, or Blank.
func FormatRows(rows, cols int, at func(Cell) byte) string {
	var b strings.Builder
	for r := range rows {
		if r > 0 {
			b.WriteByte('/')
		}
		run := 0
		for c := range cols {
			letter := at(Cell(r*cols + c))
			if letter == Blank {
				run++
				continue
			}
			writeRun(&b, run)
			run = 0
			b.WriteByte(letter)
		}
		writeRun(&b, run)
	}
	return b.String()
}

func writeRun(b *strings.Builder, run int) {
	if run > 0 {
		b.WriteString(strconv.Itoa(run))
	}
}

// ParseRows parses the output of FormatRows for a square board. It returns the cells,
// Blank where empty, and the number of rows. The error names the row and its mistake.
func ParseRows(text, letters string) (cells []byte, size int, err error) {
	rows := strings.Split(text, "/")
	size = len(rows)
	if size > MaxSize {
		return nil, 0, fmt.Errorf("board of %d rows: expected at most %d", size, MaxSize)
	}
	widths := make([]int, size)
	for i, row := range rows {
		before := len(cells)
		if cells, err = appendRow(cells, row, letters); err != nil {
			return nil, 0, fmt.Errorf("row %d of the board, %q: %w", i+1, row, err)
		}
		widths[i] = len(cells) - before
	}
	if err := checkSquare(rows, widths); err != nil {
		return nil, 0, err
	}
	return cells, size, nil
}

// checkSquare returns an error that names what is wrong of a board that is not square: how
// many rows it has, if all are equally long, else the first row of another length.
func checkSquare(rows []string, widths []int) error {
	size := len(rows)
	if w := widths[0]; size > 1 && w > 1 && w != size && slices.Equal(widths, slices.Repeat([]int{w}, size)) {
		return fmt.Errorf("the board has %d rows of %d cells: expected %d rows", size, w, w)
	}
	for i, w := range widths {
		if w != size {
			return fmt.Errorf("row %d of the board, %q: %d cells, expected %d as there are %d rows", i+1, rows[i], w, size, size)
		}
	}
	return nil
}

// SplitPosition splits the text of a position at its blanks into named parts. At least the
// first least of them must be present.
func SplitPosition(text string, least int, names ...string) ([]string, error) {
	parts := strings.Fields(text)
	wanted := strings.Join(names[:least], ", ")
	switch n := len(parts); {
	case n < least:
		return nil, fmt.Errorf("position %q: %s is missing: expected %s, with blanks between them", text, names[n], wanted)
	case n > len(names):
		return nil, fmt.Errorf("position %q: %q is left over: expected %s", text, parts[len(names)], wanted)
	}
	return parts, nil
}

// appendRow appends the cells of one row. It rejects runs longer than MaxSize before
// it expands them, so that hostile numbers cost nothing.
func appendRow(cells []byte, row, letters string) ([]byte, error) {
	for i := 0; i < len(row); {
		c := row[i]
		if c < '0' || c > '9' {
			if strings.IndexByte(letters, c) < 0 {
				letter, _ := utf8.DecodeRuneInString(row[i:])
				return nil, fmt.Errorf("%q is not a piece: expected one of %s or a number of empty cells", letter, strings.Join(strings.Split(letters, ""), " "))
			}
			cells = append(cells, c)
			i++
			continue
		}
		digits := i
		for i < len(row) && row[i] >= '0' && row[i] <= '9' {
			i++
		}
		run, err := strconv.Atoi(row[digits:i])
		if err != nil || run < 1 || run > MaxSize || row[digits] == '0' {
			return nil, fmt.Errorf("%q empty cells: expected 1 to %d", row[digits:i], MaxSize)
		}
		for range run {
			cells = append(cells, Blank)
		}
	}
	return cells, nil
}

// ParseSide parses the side to move: the first of the letters means First, the second
// means Second.
func ParseSide(text, letters string) (Side, error) {
	if len(text) == 1 {
		if i := strings.IndexByte(letters, text[0]); i >= 0 {
			return Side(i), nil
		}
	}
	return First, fmt.Errorf("side to move %q: expected %c or %c", text, letters[0], letters[1])
}

// IsPass reports whether the text is the notation of a pass, which all games share.
// It does not use EqualFold, which accepts a long s for an s.
func IsPass(text string) bool { return strings.ToLower(text) == PassText }

// PassText is the notation of a pass.
const PassText = "pass"

// PlayTexts plays moves in notation in a position. With an error it returns the moves before
// the one that cannot be played.
func PlayTexts(p Position, texts []string) (moves []Move, err error) {
	for _, text := range texts {
		m, err := p.Parse(text)
		if err != nil {
			return moves, err
		}
		moves = append(moves, m)
		p.Play(m)
	}
	return moves, nil
}

// FormatMoves writes moves that follow each other from a position.
func FormatMoves(p Position, moves []Move) []string {
	at := p.Clone()
	words := make([]string, 0, len(moves))
	for _, m := range moves {
		words = append(words, at.Format(m))
		at.Play(m)
	}
	return words
}

// Numbers returns the number of each move of a game, as players write it before the move: "7." in
// a turn of the first side, "7..." in the second side's next turn. Moves of one turn have the
// same number.
func Numbers(start Position, moves []Move) []string {
	list, p, n := make([]string, len(moves)), start.Clone(), 1
	for i, m := range moves {
		side := p.Turn()
		list[i] = strconv.Itoa(n) + map[Side]string{First: ".", Second: "..."}[side]
		if p.Play(m); side == Second && p.Turn() == First {
			n++
		}
	}
	return list
}
