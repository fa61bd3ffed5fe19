// Package ggf reads and writes GGF, the Generic Game Format of the server GGS, and
// mirrors boards between our orientation and that of other programs. Othello's
// records and protocols share it.
//
// All other programs begin with White on d4 and e5, where the course's Othello has
// Black. The boards are mirror images: the methods of [Mirrored] swap left and right. No
// other function here mirrors; callers do.
//
// Durdanovic and Buro describe GGF with GGS. A game is
// "(;GM[Othello]PB[Ann]PW[Bob]BO[8 ...cells... *]B[d3/1.5/2.25]W[c5];)": a move may
// have its value for the side that plays it, and its time in seconds.
package ggf

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"quintet/game"
)

// The letters of a position's text.
const (
	Black = 'X'
	White = 'O'
	Empty = '.'
)

// letters maps our letters to those of GGF.
var letters = strings.NewReplacer(string(Black), "*", string(White), "O", string(Empty), "-")

// PassText is a pass in GGF.
const PassText = "PA"

// Cells returns the cells from the top left, in the letters of a position's text.
// Pits count as empty.
func Cells(p game.Position) []byte { return CellsIn("XO", p) }

// CellsIn is Cells with other letters for the sides.
func CellsIn(letters string, p game.Position) []byte {
	board := p.Board()
	cells := make([]byte, len(board.Cells))
	for i, c := range board.Cells {
		cells[i] = Empty
		if c.Kind == game.Stone {
			cells[i] = letters[c.Side]
		}
	}
	return cells
}

// Size returns the number of rows of a board.
func Size(p game.Position) int { return len(p.Board().Rows) }

// Position returns the position with the cells, given in the letters of a position's
// text.
func Position(g game.Game, cells []byte, size int, turn game.Side) (game.Position, error) {
	text := game.FormatRows(size, size, func(c game.Cell) byte { return cells[c] })
	p, err := g.Read(text + " " + string("XO"[turn]))
	if err != nil {
		return nil, fmt.Errorf("reading a board: %w", err)
	}
	return p, nil
}

// StandardStart is the value of Othello's option start for the start that other programs
// have.
const StandardStart = "standard"

// Mirrored is whether the boards of a game are mirror images of those of other programs.
type Mirrored bool

// Of returns whether a game that begins at a position is mirrored: all are but those with
// the standard start.
func Of(start game.Position) Mirrored {
	p, ok := start.(game.Configured)
	return Mirrored(!ok || p.SetupOf()["start"] != StandardStart)
}

// Cells returns a board, with left and right swapped if it is mirrored.
func (m Mirrored) Cells(cells []byte, size int) []byte {
	if !m {
		return cells
	}
	mirrored := make([]byte, len(cells))
	for i, c := range cells {
		row, col := i/size, i%size
		mirrored[row*size+size-1-col] = c
	}
	return mirrored
}

// Move returns a move, with left and right swapped if it is mirrored.
func (m Mirrored) Move(mv game.Move, size int) game.Move {
	if !m || mv == game.Pass {
		return mv
	}
	row, col := int(mv.To())/size, int(mv.To())%size
	return game.Put(game.Cell(row*size + size - 1 - col))
}

// Name swaps left and right in the name of a cell, a letter and a number, if it is
// mirrored. It returns other texts unchanged: the words for a pass begin with a letter
// that is a column of large boards.
func (m Mirrored) Name(name string, size int) string {
	if !m || len(name) < 2 || name[1] < '0' || name[1] > '9' {
		return name
	}
	col := int(strings.ToLower(name[:1])[0] - 'a')
	if col < 0 || col >= size {
		return name
	}
	return string(rune('a'+size-1-col)) + name[1:]
}

// Lead returns how many discs a side has more than the other.
func Lead(p game.Position, side game.Side) (n int) {
	for _, c := range p.Board().Cells {
		switch {
		case c.Kind != game.Stone:
		case c.Side == side:
			n++
		default:
			n--
		}
	}
	return n
}

// Parse parses a move as Othello programs write it: a cell or a pass.
func Parse(p game.Position, text string) (game.Move, error) {
	text = strings.ToLower(text)
	if text == "pa" || text == "ps" || text == "--" {
		text = game.PassText
	}
	m, err := p.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("reading a move: %w", err)
	}
	return m, nil
}

// Tag is a tag of a game: KEY[value].
type Tag struct {
	Key, Value string
	At         int // its offset in the text
}

// Split parses the tags of the first game at or after an offset. It returns the
// offset after the game, or that of the error.
func Split(text string, from int) (tags []Tag, end int, err error) {
	at := from + prefixLen(text[from:], " \t\r\n")
	if !strings.HasPrefix(text[at:], "(;") {
		return nil, at, fmt.Errorf("a game that begins with %.10q: expected (;", text[at:])
	}
	at += len("(;")
	for {
		at += prefixLen(text[at:], " \t\r\n;")
		if strings.HasPrefix(text[at:], ")") {
			return tags, at + 1, nil
		}
		key, rest, ok1 := strings.Cut(text[at:], "[")
		value, _, ok2 := strings.Cut(rest, "]")
		if !ok1 || !ok2 || strings.ContainsAny(key, "();") {
			return tags, at, fmt.Errorf("a game with %.20q: expected KEY[value], and ;) at the end", text[at:])
		}
		tags = append(tags, Tag{strings.TrimSpace(key), value, at})
		at += len(key) + 1 + len(value) + 1
	}
}

// prefixLen returns the length of the prefix that consists of the given characters.
func prefixLen(text, of string) int { return len(text) - len(strings.TrimLeft(text, of)) }

// Board parses "8 ---...--- *": the number of rows, cells from the top left, the side
// to move. The game validates the number of rows.
func Board(g game.Game, value string) (game.Position, error) {
	words := strings.Fields(value)
	if len(words) < 3 {
		return nil, fmt.Errorf("board %q: expected the number of rows, the cells and the side to move", value)
	}
	var size int
	if _, err := fmt.Sscan(words[0], &size); err != nil || size < 1 || size > game.MaxSize {
		return nil, fmt.Errorf("board of %q rows: expected an even number from 4 to %d", words[0], game.MaxSize)
	}
	cells := []byte(strings.Join(words[1:len(words)-1], ""))
	if len(cells) != size*size {
		return nil, fmt.Errorf("board of %d cells: expected %d", len(cells), size*size)
	}
	for i, letter := range cells {
		at := bytes.IndexByte([]byte("*O-"), letter)
		if at < 0 {
			return nil, fmt.Errorf("cell %q: expected * for black, O for white, - for empty", letter)
		}
		cells[i] = [3]byte{Black, White, Empty}[at]
	}
	switch words[len(words)-1] {
	case "*":
		return Position(g, cells, size, game.First)
	case "O":
		return Position(g, cells, size, game.Second)
	}
	return nil, fmt.Errorf("side to move %q: expected * or O", words[len(words)-1])
}

// FormatBoard is the inverse of Board.
func FormatBoard(cells []byte, size int, turn game.Side) string {
	return fmt.Sprintf("%d %s %s", size, letters.Replace(string(cells)), [2]string{"*", "O"}[turn])
}

// Move is the value of a move's tag: "F5/1.20/3.5".
type Move struct {
	Text, Value, Time string // Value and Time are empty if missing
}

// SplitMove parses the value of a move's tag.
func SplitMove(value string) Move {
	parts := strings.SplitN(strings.TrimSpace(value)+"//", "/", 4)
	return Move{strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])}
}

// Clock parses the first part of "15:00/00:00/02:00": hours, minutes and seconds for
// the game. It returns 0 if there is none.
func Clock(value string) (left time.Duration) {
	first, _, _ := strings.Cut(value, "/")
	for part := range strings.SplitSeq(first, ":") {
		s, ok := Seconds(strings.TrimSpace(part))
		if !ok || left > time.Hour {
			return 0
		}
		left = left*60 + s
	}
	return left
}

// Seconds parses a number of seconds, at most some weeks.
func Seconds(text string) (time.Duration, bool) {
	var s float64
	if _, err := fmt.Sscan(text, &s); err != nil || !(s >= 0 && s < 1e7) {
		return 0, false
	}
	return time.Duration(s*1e6+0.5) * time.Microsecond, true
}
