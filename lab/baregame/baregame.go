// Package baregame has a game with nothing but rules: no evaluation, no puzzles, no lessons.
// White moves first, and passing panics. Tests put it on the list of games by [Overlay] and so
// find what a program takes for granted of a game. It is noughts and crosses.
package baregame

import (
	"fmt"
	"strings"

	"quintet/game"
)

const (
	size    = 3
	symbols = "." + letters // of cells
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
	Look:     game.Look{LightFirst: true}, // the suite insists
}

// position is the stones by cells from the top left: 0, or 1 and the side.
type position struct {
	cells  [size * size]byte
	filled uint8
}

func (p *position) Moves(buf []game.Move) []game.Move {
	for i, c := range p.cells {
		if c == 0 && !p.Result().Over() {
			buf = append(buf, game.Put(game.Cell(i)))
		}
	}
	return buf
}

func (p *position) Play(m game.Move) {
	if m == game.Pass {
		panic("the bare game has no pass")
	}
	p.cells[m.To()] = 1 + byte(p.Turn())
	p.filled++
}

func (p *position) Result() game.Result {
	for _, l := range [...][size]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if c := p.cells[l[0]]; c > 0 && c == p.cells[l[1]] && c == p.cells[l[2]] {
			return game.Win(game.Side(c - 1))
		}
	}
	if p.filled == size*size {
		return game.Draw
	}
	return game.Ongoing
}

func (p *position) Key() (key uint64) {
	for _, c := range p.cells {
		key = game.Mix(key, uint64(c))
	}
	return key
}

func (p *position) Turn() game.Side             { return game.Side(p.filled % 2) }
func (p *position) CopyFrom(from game.Position) { *p = *from.(*position) }
func (p *position) Clone() game.Position        { c := *p; return &c }
func (p *position) Format(m game.Move) string   { return coords().Name(m.To()) }
func coords() game.Coords                       { return game.Coords{Rows: size, Cols: size, Base: 1, Upward: true} }

func (p *position) Parse(s string) (game.Move, error) {
	cell, err := coords().Cell(s)
	switch {
	case !game.IsPass(s) && err != nil:
		return 0, err
	case err != nil || !game.Legal(p, game.Put(cell)):
		return 0, fmt.Errorf("move %q: %w", s, game.ErrIllegal)
	}
	return game.Put(cell), nil
}

func (p *position) Board() game.Board {
	b := game.Board{Cells: make([]game.Piece, len(p.cells))}
	b.Rows, b.Cols = coords().Labels()
	for i, c := range p.cells {
		if c > 0 {
			b.Cells[i] = game.Piece{Kind: game.Stone, Side: game.Side(c - 1)}
		}
	}
	return b
}

func (p *position) String() string {
	return game.FormatRows(size, size, func(c game.Cell) byte { return symbols[p.cells[c]] }) + " " + letters[p.Turn():p.Turn()+1]
}

// read parses what String writes.
func read(text string) (game.Position, error) {
	p := &position{}
	rows, turn, _ := strings.Cut(text, " ")
	cells, n, err := game.ParseRows(rows, letters)
	if err == nil && n != size {
		err = fmt.Errorf("%d rows, expected %d", n, size)
	}
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	for i, c := range cells {
		if side := strings.IndexByte(letters, c); side >= 0 {
			p.cells[i] = 1 + byte(side)
			p.filled++
		}
	}
	if turn != letters[p.Turn():p.Turn()+1] || p.Result() == game.Win(p.Turn()) {
		return nil, fmt.Errorf("position %q: no game leads there", text)
	}
	return p, nil
}
