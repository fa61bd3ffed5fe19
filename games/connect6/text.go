package connect6

import (
	"errors"
	"fmt"
	"strings"

	"quintet/game"
)

// letters are the letters of the two sides' stones and of the side to move.
const letters = "BW"

// coords names the cells like the course: upper case columns, A0 at the top left.
func coords(size int) game.Coords { return game.Coords{Rows: size, Cols: size, Upper: true} }

// String returns the position in one line: rows from the top, the side to move and
// the stones left, such as "3/1B1/3 W 2".
func (p *Position) String() string {
	rows := game.FormatRows(int(p.size), int(p.size), p.letter)
	return fmt.Sprintf("%s %c %d", rows, letters[p.turn&1], p.left)
}

func (p *Position) letter(c game.Cell) byte {
	row, col := int(c)/int(p.size), int(c)%int(p.size)
	for side := range p.stones {
		if p.stones[side].has(row, col) {
			return letters[side]
		}
	}
	return game.Blank
}

// read parses the output of String. It accepts any numbers of stones, but at most one
// side may have six in a line.
func read(text string) (game.Position, error) {
	fields, err := game.SplitPosition(text, 3, "board", "side to move (B or W)", "stones left in the turn (1 or 2)")
	if err != nil {
		return nil, err
	}
	p, err := readBoard(fields[0])
	if err == nil {
		p.turn, err = game.ParseSide(fields[1], letters)
	}
	if err == nil && fields[2] != "1" && fields[2] != "2" {
		err = fmt.Errorf("stones left %q: expected 1 or %d", fields[2], PerTurn)
	}
	if err == nil {
		p.left = fields[2][0] - '0'
		err = p.settle()
	}
	if err != nil {
		return nil, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}

func readBoard(rows string) (*Position, error) {
	cells, size, err := game.ParseRows(rows, letters)
	if err != nil {
		return nil, err
	}
	p, err := Start(size)
	if err != nil {
		return nil, err
	}
	for i, letter := range cells {
		if side := strings.IndexByte(letters, letter); side >= 0 {
			p.stones[side].put(i/size, i%size)
			p.empty--
		}
	}
	return p, nil
}

// settle computes the result of a parsed board.
func (p *Position) settle() error {
	black, white := p.stones[0].anySix(int(p.size)), p.stones[1].anySix(int(p.size))
	switch {
	case black && white:
		return errors.New("both sides have six in a line: only one side can")
	case black:
		p.result = game.FirstWins
	case white:
		p.result = game.SecondWins
	case p.empty == 0:
		p.result = game.Draw
	}
	return nil
}

// Format returns the notation of a move: "J9".
func (p *Position) Format(m game.Move) string { return coords(int(p.size)).Format(m) }

// Parse parses the notation of a legal move.
func (p *Position) Parse(s string) (game.Move, error) {
	return coords(int(p.size)).Parse(p, s, func(m game.Move) bool { return p.WhyIllegal(m) == "" })
}

// Place implements game.Placer.
func (p *Position) Place(cells []game.Piece) {
	size := p.Size()
	for i := range cells {
		cells[i] = game.Piece{}
		for side := range p.stones {
			if p.stones[side].has(i/size, i%size) {
				cells[i] = game.Piece{Kind: game.Stone, Side: game.Side(side)}
			}
		}
	}
}

// Board describes how the position looks, with the stones to place as its note.
func (p *Position) Board() game.Board {
	size := p.Size()
	rows, cols := coords(size).Labels()
	b := game.Board{Rows: rows, Cols: cols, Cells: make([]game.Piece, size*size), Points: true}
	p.Place(b.Cells)
	if !p.result.Over() {
		b.Note = fmt.Sprintf("%s places %d", sides[p.turn&1], p.left)
	}
	return b
}
