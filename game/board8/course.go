package board8

import (
	"math/bits"
	"strings"

	"quintet/game"
)

// Course implements the operations that the course documents of both games list. A
// player is 'B' or 'W'; any other letter is a player without pieces.
type Course struct {
	place   Placement
	targets Targets
}

// Targets returns the target cells of an own piece by the rules of a game.
type Targets func(from int, own, other uint64) uint64

// NewCourse returns a game that begins with the placement.
func NewCourse(start Placement, t Targets) Course { return Course{start, t} }

// CurrentPlayer returns the player to move.
func (c *Course) CurrentPlayer() byte { return letters[c.place.turn&1] }

// SwapPlayer ends the turn.
func (c *Course) SwapPlayer() { c.place.Play(game.Pass) }

// Move moves a piece of the current player between two lower case cells such as "d0"
// and "f2". It returns false and changes nothing if the move is invalid. It does not
// swap the players and does not check whether the game is over.
func (c *Course) Move(from, to string) bool {
	origin, ok1 := cell(from)
	destination, ok2 := cell(to)
	own, other := c.place.Sides()
	if !ok1 || !ok2 || own&Bit(origin) == 0 || c.targets(int(origin), own, other)&Bit(destination) == 0 {
		return false
	}
	c.place.shift(Bit(origin), Bit(destination))
	return true
}

// cell parses the name of a cell in the course's form of two characters.
func cell(name string) (game.Cell, bool) {
	if len(name) != 2 || name != strings.ToLower(name) {
		return 0, false
	}
	c, err := coords.Cell(name)
	return c, err == nil
}

// CanMove reports whether a player has a valid move, even if the game is over.
func (c *Course) CanMove(player byte) bool {
	own, other := c.PieceSet(player), c.place.pieces[0]|c.place.pieces[1]
	other &^= own
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		if c.targets(Lowest(pieces), own, other) != 0 {
			return true
		}
	}
	return false
}

// Connected reports whether a player's pieces form one group.
func (c *Course) Connected(player byte) bool { return Connected(c.PieceSet(player)) }

// GameOver returns 'D' if the pieces of both players form one group, 'B' or
// 'W' if only that player's do, and '-' otherwise.
func (c *Course) GameOver() byte { return "-BWD"[c.place.GroupResult()] }

// Pieces returns the number of a player's pieces.
func (c *Course) Pieces(player byte) int { return bits.OnesCount64(c.PieceSet(player)) }

// PieceSet returns the cells of a player's pieces.
func (c *Course) PieceSet(player byte) uint64 {
	if i := strings.IndexByte(letters, player); i >= 0 {
		return c.place.pieces[i]
	}
	return 0
}

// Board describes how the board looks.
func (c *Course) Board() game.Board { return c.place.Board() }
