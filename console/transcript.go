package console

import (
	"fmt"
	"strings"

	"quintet/game"
)

// Frame is a board that a console program has printed, and what came after it.
type Frame struct {
	Line  int    // where its header stands, from 1
	Size  int    // rows and columns
	Cells []byte // the symbols of the cells, row by row
	After string // what stands between it and the next board, or the end

	Upper  bool // the columns are in upper case
	First  int  // the number of the first row
	Framed bool // there are lines around the cells
}

// FrameError says in which line of a text a board breaks off.
type FrameError struct {
	Line int // from 1
	Err  error
}

// Error says what is there and what is wanted.
func (e *FrameError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without its line.
func (e *FrameError) Unwrap() error { return e.Err }

// styles are the boards by game.
var styles = []struct {
	name string
	style
}{
	{"neighbors", smallBoard}, {"othello", pitBoard}, {"loa", smallBoard}, {"connect6", stoneBoard}, {"chess", framedBoard},
}

// Symbols returns the symbols with which the console program of a game prints
// the cells of a board, row by row; nil if there is no such game.
func Symbols(name string, b game.Board) []byte {
	for _, s := range styles {
		if s.name == name {
			symbols := make([]byte, len(b.Cells))
			for i, p := range b.Cells {
				symbols[i] = s.symbol(p)
			}
			return symbols
		}
	}
	return nil
}

// Frames finds the boards in what a console program printed, with or without
// the input between it. The error is a *FrameError.
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
		case err != nil && f.Size < 4: // a word such as A is no board
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

// header finds the letters of columns at the end of a line, and returns what
// stands before them: a prompt, where the input is not echoed.
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

// rows reads the rows of a board, the first of which is expected in a line. It
// returns the line after the board.
func (f *Frame) rows(lines []string, at int) (next int, err error) {
	f.Framed = at < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[at]), "---")
	for row := range f.Size {
		if f.Framed {
			at++
		}
		if at >= len(lines) || at == len(lines)-1 && lines[at] == "" {
			return at, &FrameError{at, fmt.Errorf("the text ends within a board: want row %d of %d", row+1, f.Size)}
		}
		label, cells, ok := f.row(lines[at])
		if row == 0 {
			f.First = label
		}
		if !ok || label != f.First+row {
			return at, &FrameError{at + 1, fmt.Errorf("%q is no row of a board: want row %d of %d, with %d cells", lines[at], row+1, f.Size, f.Size)}
		}
		f.Cells = append(f.Cells, cells...)
		at++
	}
	if f.Framed && at < len(lines) {
		at++
	}
	return at, nil
}

// row reads the number of a row and its cells.
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
