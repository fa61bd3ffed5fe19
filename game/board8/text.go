package board8

import (
	"fmt"
	"math/bits"
	"strings"

	"quintet/game"
)

// letters are the letters of the two sides' pieces and of the side to move.
const letters = "BW"

// coords names the cells like the course: a0 is the top left.
var coords = game.Coords{Rows: 8, Cols: 8, Pairs: true}

// String returns the placement in one line, rows from the top and the side to move,
// such as "8/3B4/8/8/4W3/8/8/8 B".
func (p *Placement) String() string {
	return game.FormatRows(8, 8, p.letter) + " " + string(letters[p.turn&1])
}

func (p *Placement) letter(c game.Cell) byte {
	switch {
	case p.pieces[game.First]&Bit(c) != 0:
		return letters[game.First]
	case p.pieces[game.Second]&Bit(c) != 0:
		return letters[game.Second]
	}
	return game.Blank
}

// Read parses the output of String. It accepts every board of eight by eight cells,
// even without pieces of a side.
func Read(text string) (Placement, error) {
	fields, err := game.SplitPosition(text, 2, "board", "side to move (B or W)")
	if err != nil {
		return Placement{}, err
	}
	cells, size, err := game.ParseRows(fields[0], letters)
	if err == nil && size != 8 {
		err = fmt.Errorf("board of %d rows: expected 8", size)
	}
	if err != nil {
		return Placement{}, fmt.Errorf("position %q: %w", text, err)
	}
	turn, err := game.ParseSide(fields[1], letters)
	if err != nil {
		return Placement{}, fmt.Errorf("position %q: %w", text, err)
	}
	var pieces [2]uint64
	for c, letter := range cells {
		if letter != game.Blank {
			pieces[strings.IndexByte(letters, letter)] |= Bit(game.Cell(c))
		}
	}
	p := New(pieces[0], pieces[1])
	p.turn = turn
	return p, nil
}

// Format returns the notation of a move: "d0f2", or "pass".
func (p *Placement) Format(m game.Move) string { return coords.Format(m) }

// Parse parses the notation of a legal move of either game.
func Parse(p game.Position, s string) (game.Move, error) { return coords.Parse(p, s, nil) }

// Place implements game.Placer.
func (p *Placement) Place(cells []game.Piece) {
	clear(cells)
	for s, pieces := range p.pieces {
		for ; pieces != 0; pieces &= pieces - 1 {
			cells[bits.TrailingZeros64(pieces)] = game.Piece{Kind: game.Stone, Side: game.Side(s)}
		}
	}
}

// Board describes how the placement looks, with the numbers of pieces as its note.
func (p *Placement) Board() game.Board {
	rows, cols := coords.Labels()
	b := game.Board{Rows: rows, Cols: cols, Cells: make([]game.Piece, 64)}
	p.Place(b.Cells)
	b.Note = fmt.Sprintf("Black %d, White %d", bits.OnesCount64(p.pieces[0]), bits.OnesCount64(p.pieces[1]))
	return b
}
