package console

import (
	"fmt"
	"strings"

	"quintet/game"
)

// Frame is a board in a console program's output, with the text after it.
type Frame struct {
	Line  int    // line of its header, from 1
	Size  int    // rows and columns
	Cells []byte // the symbols of the cells, row by row
	After string // text up to the next board or the end

	Upper  bool // column letters are upper case
	First  int  // the number of the first row
	Framed bool // the board has a frame
}

// FrameError is a truncated or malformed board.
type FrameError struct {
	Line int // from 1
	Err  error
}

// Error implements error.
func (e *FrameError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without its line.
func (e *FrameError) Unwrap() error { return e.Err }

// Symbols returns the cells of a board as the console program of a game prints them,
// row by row; nil for an unknown game.
func Symbols(name string, b game.Board) (symbols []byte) {
	s, ok := find(name)
	if !ok {
		return nil
	}
	for _, p := range b.Cells {
		symbols = append(symbols, s.board.symbol(p))
	}
	return symbols
}

// Frames finds the boards in the output of a console program, with or without echoed
// input. The error is a *FrameError.
func Frames(text string) ([]Frame, error) {
	var frames []Frame
	lines := strings.Split(text, "\n")
	var said []string
	for i := 0; i < len(lines); i++ {
		before, f, ok := header(lines[i])
		if !ok {
			said = append(said, lines[i])
			continue
		}
		f.Line = i + 1
		next, err := f.rows(lines, i+1)
		switch {
		case err != nil && f.Size < 4: // a word such as A is not a board
			said = append(said, lines[i])
			continue
		case err != nil:
			return nil, err
		}
		if len(frames) > 0 {
			frames[len(frames)-1].After = strings.Join(append(said, before), "\n")
		}
		frames, said = append(frames, f), nil
		i = next - 1
	}
	if len(frames) > 0 {
		frames[len(frames)-1].After = strings.Join(said, "\n")
	}
	return frames, nil
}

// header parses column letters at the end of a line and returns the text before them,
// a prompt if the input is not echoed.
func header(line string) (before string, f Frame, ok bool) {
	rest := strings.TrimRight(line, " \r\t")
	if rest == "" {
		return "", f, false
	}
	base := byte('a')
	if last := rest[len(rest)-1]; last < 'a' {
		base, f.Upper = 'A', true
	}
	f.Size = int(rest[len(rest)-1]) - int(base) + 1
	if f.Size < 1 || f.Size > game.MaxSize {
		return "", f, false
	}
	for col := f.Size - 1; col >= 0; col-- {
		body, found := strings.CutSuffix(rest, string(rune(base)+rune(col)))
		if !found || body == "" || body[len(body)-1] != ' ' {
			return "", f, false
		}
		rest = strings.TrimRight(body, " ")
	}
	return rest, f, true
}

// rows parses the rows of a board from a line on and returns the line after the
// board.
func (f *Frame) rows(lines []string, at int) (next int, err error) {
	f.Framed = at < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[at]), "---")
	for row := range f.Size {
		if f.Framed {
			at++
		}
		if at >= len(lines) || at == len(lines)-1 && lines[at] == "" {
			return at, &FrameError{at, fmt.Errorf("the text ends within a board: expected row %d of %d", row+1, f.Size)}
		}
		label, cells, ok := f.row(lines[at])
		if row == 0 {
			f.First = label
		}
		if !ok || label != f.First+row {
			return at, &FrameError{at + 1, fmt.Errorf("%q is not a row of a board: expected row %d of %d, with %d cells", lines[at], row+1, f.Size, f.Size)}
		}
		f.Cells = append(f.Cells, cells...)
		at++
	}
	if f.Framed && at < len(lines) {
		at++
	}
	return at, nil
}

// row parses the label of a row and its cells.
func (f *Frame) row(line string) (label int, cells []byte, ok bool) {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return 0, nil, false
	}
	if _, err := fmt.Sscanf(fields[0], "%d", &label); err != nil || label < 0 || label > game.MaxSize {
		return 0, nil, false
	}
	if f.Framed {
		for col := range f.Size {
			at := 4 + 4*col
			if at >= len(line) {
				return 0, nil, false
			}
			cells = append(cells, line[at])
		}
		return label, cells, true
	}
	for _, cell := range fields[1:] {
		cells = append(cells, cell[0])
		ok = len(cell) == 1
		if !ok {
			return 0, nil, false
		}
	}
	return label, cells, len(cells) == f.Size
}
