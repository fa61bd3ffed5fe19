// Package reversi speaks the two protocols of Othello programs: GTP, the Go
// Text Protocol as such programs use it, and NBoard, that of the program of
// the same name. [ServeGTP] and [ServeNBoard] offer a search to others;
// [GTP] and [NBoard] are players that are other programs.
//
// GTP version 2 is Farnebäck's draft of 2002; what Othello programs make of it
// is taken from how GRhino and Edax behave. NBoard's protocol, version 2, is
// described by Welty with NTest (Protocol.htm).
//
// Neither knows pits, and all such programs begin with White on d4 and e5 where
// the course's Othello has Black there. The boards are mirror images: the
// players here mirror columns on the way out and in, and the servers begin as
// other programs do.
package reversi

import (
	"errors"
	"fmt"
	"strings"

	"quintet/game"
)

// The letters of a position's text.
const (
	black, white, empty = 'X', 'O', '.'
)

// CheckGTP says why GTP cannot tell a position, if so: Othello programs know
// Othello, and no pits.
func CheckGTP(g game.Game, p game.Position) error {
	if g.Name != "othello" {
		return fmt.Errorf("%s: gtp and nboard are for Othello here, want ugi", g.Name)
	}
	for _, cell := range p.Board().Cells {
		if cell.Kind == game.Pit {
			return errors.New("pits: gtp and nboard cannot tell them, want ugi")
		}
	}
	return nil
}

// CheckNBoard says why NBoard cannot tell a position, if so: its moves have two
// characters.
func CheckNBoard(g game.Game, p game.Position) error {
	if err := CheckGTP(g, p); err != nil {
		return err
	}
	if rows := size(p); rows > 8 {
		return fmt.Errorf("board of %d rows: nboard can only tell 4, 6 or 8, want gtp or ugi", rows)
	}
	return nil
}

// size returns the number of rows of a board.
func size(p game.Position) int { return len(p.Board().Rows) }

// cells returns the discs from the top left, in the letters of a position's
// text.
func cells(p game.Position) []byte {
	board := p.Board()
	letters := make([]byte, len(board.Cells))
	for i, c := range board.Cells {
		letters[i] = empty
		if c.Kind == game.Stone {
			letters[i] = [2]byte{black, white}[c.Side]
		}
	}
	return letters
}

// mirrorCells swaps left and right on a board.
func mirrorCells(cells []byte, size int) []byte {
	mirrored := make([]byte, len(cells))
	for i, c := range cells {
		row, col := i/size, i%size
		mirrored[row*size+size-1-col] = c
	}
	return mirrored
}

// mirrorName swaps left and right in the name of a cell. What is not a name
// stays as it is.
func mirrorName(name string, size int) string {
	if name == "" || name == game.PassText {
		return name
	}
	col := int(strings.ToLower(name[:1])[0] - 'a')
	if col < 0 || col >= size {
		return name
	}
	return string(rune('a'+size-1-col)) + name[1:]
}

// parse reads a move as these protocols write it: a cell or a pass.
func parse(p game.Position, text string) (game.Move, error) {
	text = strings.ToLower(text)
	if text == "pa" || text == "--" {
		text = game.PassText
	}
	m, err := p.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("reading a move: %w", err)
	}
	return m, nil
}
