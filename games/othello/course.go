package othello

import (
	"strconv"

	"quintet/game"
)

// Course implements the operations that the course document lists. A player is 'X' or
// 'O'; any other letter is a player without discs and moves. Rows and columns count
// from 0 at the top left. The caller keeps the turns: any player may place a disc at
// any time.
type Course struct {
	discs  [2]grid
	ground grid
	size   int
}

// NewCourse returns a new game on a board of 4 to 26 rows, an even number. It returns
// an error for another size.
func NewCourse(size int) (*Course, error) {
	if _, err := sizeOf(game.Setup{"size": strconv.Itoa(size)}); err != nil {
		return nil, err
	}
	p := newLarge(startLayout(size))
	return &Course{discs: [2]grid{p.own, p.other}, ground: p.ground, size: size}, nil
}

// Size returns the number of rows and of columns.
func (c *Course) Size() int { return c.size }

// AddPit turns an empty cell into a pit. It returns false and changes nothing outside
// the board, on a disc and on a pit.
func (c *Course) AddPit(row, col int) bool {
	if !c.free(row, col) {
		return false
	}
	c.ground[row] &^= 1 << col
	return true
}

// free reports whether a cell is on the board and has neither disc nor pit.
func (c *Course) free(row, col int) bool {
	if row < 0 || row >= c.size || col < 0 || col >= c.size {
		return false
	}
	return (c.ground[row]&^(c.discs[0][row]|c.discs[1][row]))>>col&1 != 0
}

// sides returns the discs of a player and of the opponent; nil for an unknown player.
func (c *Course) sides(player byte) (own, other *grid) {
	switch player {
	case discs[game.First]:
		return &c.discs[0], &c.discs[1]
	case discs[game.Second]:
		return &c.discs[1], &c.discs[0]
	}
	return nil, nil
}

// Valid reports whether a player can place a disc on a cell.
func (c *Course) Valid(player byte, row, col int) bool {
	own, other := c.sides(player)
	if own == nil || !c.free(row, col) {
		return false
	}
	var moves grid
	moves.reach(own, other, &c.ground, c.size)
	return moves[row]>>col&1 != 0
}

// Place places a disc of a player and flips the enclosed discs. It returns false and
// changes nothing if the move is invalid.
func (c *Course) Place(player byte, row, col int) bool {
	if !c.Valid(player, row, col) {
		return false
	}
	own, other := c.sides(player)
	own.put(other, row, 1<<col, c.size)
	return true
}

// HasMove reports whether a player can place a disc anywhere.
func (c *Course) HasMove(player byte) bool {
	own, other := c.sides(player)
	var moves grid
	return own != nil && moves.reach(own, other, &c.ground, c.size)
}

// HasEmpty reports whether the board has an empty cell left. Pits do not count.
func (c *Course) HasEmpty() bool {
	return c.ground.count(c.size) > c.Count('X')+c.Count('O')
}

// Count returns the number of discs of a player.
func (c *Course) Count(player byte) int {
	own, _ := c.sides(player)
	if own == nil {
		return 0
	}
	return own.count(c.size)
}

// Board describes how the board looks.
func (c *Course) Board() game.Board {
	return layout{cells: cellsOf(&c.discs[0], &c.discs[1], &c.ground, c.size), size: c.size}.board()
}
