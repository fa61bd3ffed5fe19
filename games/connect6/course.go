package connect6

import (
	"strings"

	"quintet/game"
)

// Course implements the operations that the course document lists. A player is 'B' or
// 'W'. Rows and columns count from 0 at the top left. The caller keeps the turns: any
// player may place a stone at any time.
type Course struct {
	stones [2]grid
	size   int
	empty  int
}

// State is the result of Over.
type State uint8

// The states.
const (
	GoOn State = iota // the game goes on
	Won               // the player has six or more in a line
	Full              // no cell is empty, and the player has not won
)

// String returns "go on", "won" or "full".
func (s State) String() string { return [...]string{"go on", "won", "full"}[s%3] }

// NewCourse returns an empty board of 1 to 26 rows. It returns an error for another
// size.
func NewCourse(size int) (*Course, error) {
	if _, err := Start(size); err != nil {
		return nil, err
	}
	return &Course{size: size, empty: size * size}, nil
}

// Size returns the number of rows and of columns.
func (c *Course) Size() int { return c.size }

// Place places a stone of a player. It returns false and changes nothing outside the
// board, on a stone, and for an unknown player.
func (c *Course) Place(player byte, row, col int) bool {
	side := strings.IndexByte(letters, player)
	if side < 0 || row < 0 || row >= c.size || col < 0 || col >= c.size {
		return false
	}
	if c.stones[0].has(row, col) || c.stones[1].has(row, col) {
		return false
	}
	c.stones[side].put(row, col)
	c.empty--
	return true
}

// Over returns the state after a stone of the player. Only that player's lines count.
func (c *Course) Over(player byte) State {
	side := strings.IndexByte(letters, player)
	switch {
	case side >= 0 && c.stones[side].anySix(c.size):
		return Won
	case c.empty == 0:
		return Full
	}
	return GoOn
}

// Board describes how the board looks.
func (c *Course) Board() game.Board { return boardOf(&c.stones, c.size) }
