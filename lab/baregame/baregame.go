// Package baregame has a game with nothing but rules: no look, no evaluation, no puzzles and no
// lessons. White moves first, and passing panics. Tests add it to the list of games (see
// [Overlay]) and so find what a program takes for granted of a game.
//
// Two sides put stones on a board of 4 by 4 cells. Three in a row, a column or a diagonal
// win; a full board is a draw.
package baregame

import (
	"fmt"
	"strings"

	"quintet/game"
)

const (
	size    = 4
	three   = 3
	letters = "WB"
)

// Game is the bare game.
var Game = game.Game{
	Name:     "bare",
	Title:    "Three stones",
	Sides:    [2]string{"White", "Black"},
	Notation: "a cell such as b3",
	Rules:    "White and Black put stones on empty cells. Three in a row, a column or a diagonal win.",
	New:      func(game.Setup) (game.Position, error) { return &position{}, nil },
	Read:     read,
	Look:     game.Look{LightFirst: true}, // the suite insists: White moves first
}

// position is a position: the stones of both sides by cells, from the top left.
type position struct {
	cells  [size * size]byte // 0, or 1 and the side
	filled uint8
	result game.Result
}

var coords = game.Coords{Rows: size, Cols: size, Base: 1, Upward: true}

// Turn returns the side to move.
func (p *position) Turn() game.Side { return game.Side(p.filled % 2) }

// Moves appends the empty cells, row by row from the top left.
func (p *position) Moves(buf []game.Move) []game.Move {
	for i, c := range p.cells {
		if c == 0 && !p.result.Over() {
			buf = append(buf, game.Put(game.Cell(i)))
		}
	}
	return buf
}

// Play puts a stone.
func (p *position) Play(m game.Move) {
	if m == game.Pass {
		panic("the bare game has no pass")
	}
	side := p.Turn()
	p.cells[m.To()] = 1 + byte(side)
	p.filled++
	switch {
	case p.wins(int(m.To()), 1+byte(side)):
		p.result = game.Win(side)
	case p.filled == size*size:
		p.result = game.Draw
	}
}

// wins reports whether a stone is one of three in a line.
func (p *position) wins(cell int, stone byte) bool {
	for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		run := 0
		for step := -2; step <= 2; step++ {
			row, col := cell/size+step*d[0], cell%size+step*d[1]
			if row < 0 || col < 0 || row >= size || col >= size || p.cells[row*size+col] != stone {
				run = 0
			} else if run++; run == three {
				return true
			}
		}
	}
	return false
}

// Result returns the result.
func (p *position) Result() game.Result { return p.result }

// Key returns a hash of the stones, which say whose turn it is.
func (p *position) Key() (key uint64) {
	for _, c := range p.cells {
		key = game.Mix(key, uint64(c))
	}
	return key
}

// CopyFrom copies a position.
func (p *position) CopyFrom(from game.Position) { *p = *from.(*position) }

// Clone returns a copy.
func (p *position) Clone() game.Position { c := *p; return &c }

// Format returns the cell of a move.
func (p *position) Format(m game.Move) string { return coords.Name(m.To()) }

// Parse parses a cell.
func (p *position) Parse(s string) (game.Move, error) {
	if game.IsPass(s) {
		return 0, fmt.Errorf("move %q: %w: there is no pass", s, game.ErrIllegal)
	}
	cell, err := coords.Cell(s)
	if err != nil {
		return 0, err
	}
	if m := game.Put(cell); game.Legal(p, m) {
		return m, nil
	}
	return 0, fmt.Errorf("move %q: %w", s, game.ErrIllegal)
}

// Board describes the board.
func (p *position) Board() game.Board {
	b := game.Board{Cells: make([]game.Piece, len(p.cells))}
	b.Rows, b.Cols = coords.Labels()
	for i, c := range p.cells {
		if c > 0 {
			b.Cells[i] = game.Piece{Kind: game.Stone, Side: game.Side(c - 1)}
		}
	}
	return b
}

// String returns the rows and the side to move.
func (p *position) String() string {
	rows := game.FormatRows(size, size, func(c game.Cell) byte {
		if p.cells[c] == 0 {
			return game.Blank
		}
		return letters[p.cells[c]-1]
	})
	return rows + " " + letters[p.Turn():p.Turn()+1]
}

// read parses what String writes.
func read(text string) (game.Position, error) {
	p := &position{}
	rows, turn, _ := strings.Cut(text, " ")
	cells, n, err := game.ParseRows(rows, letters)
	switch {
	case err != nil:
		return nil, fmt.Errorf("position %q: %w", text, err)
	case n != size:
		return nil, fmt.Errorf("position %q: %d rows, expected %d", text, n, size)
	}
	var count [2]int
	for i, c := range cells {
		if side := strings.IndexByte(letters, c); side >= 0 {
			p.cells[i] = 1 + byte(side)
			p.filled++
			count[side]++
		}
	}
	if turn != letters[p.Turn():p.Turn()+1] || count[0]-count[1] != int(p.filled%2) {
		return nil, fmt.Errorf("position %q: White moves first, and the sides take turns", text)
	}
	return p, p.judge(text)
}

// judge sets the result of a position that was read.
func (p *position) judge(text string) error {
	for i, c := range p.cells {
		if c > 0 && p.wins(i, c) {
			result := game.Win(game.Side(c - 1))
			if p.result.Over() && p.result != result || result != game.Win(p.Turn().Other()) {
				return fmt.Errorf("position %q: the game went on after it was won", text)
			}
			p.result = result
		}
	}
	if !p.result.Over() && p.filled == size*size {
		p.result = game.Draw
	}
	return nil
}
