package board8

import (
	"math/bits"
	"strings"

	"quintet/game"
)

// Course is either game by the operations that its course document lists. A
// player is 'B' or 'W'; any other letter is a player without pieces.
type Course struct {
	place   Placement
	targets Targets
}

// Targets is the rule by which a piece of a game moves: it returns where the
// own piece on a cell may go.
type Targets func(from int, own, other uint64) uint64

// NewCourse returns a game that begins with the placement.
func NewCourse(start Placement, t Targets) Course { return Course{start, t} }

// CurrentPlayer returns the player whose turn it is.
func (c *Course) CurrentPlayer() byte { return letters[c.place.turn&1] }

// SwapPlayer gives the turn to the other player.
func (c *Course) SwapPlayer() { c.place.Play(game.Pass) }

// Move moves a piece of the current player between two cells such as "d0" and
// "f2", which are in lower case. It reports false, and changes nothing, if the
// move is not valid. It neither swaps the players nor minds whether the game
// is over.
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

// cell reads the name of a cell as the course writes it, in two characters.
func cell(name string) (game.Cell, bool) {
	if len(name) != 2 || name != strings.ToLower(name) {
		return 0, false
	}
	c, err := coords.Cell(name)
	return c, err == nil
}

// CanMove reports whether a player has a valid move by the rules for pieces
// alone, be the game over or not.
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

// Connected reports whether the pieces of a player form one group.
func (c *Course) Connected(player byte) bool { return Connected(c.PieceSet(player)) }

// GameOver returns 'D' if the pieces of both players form one group, 'B' or
// 'W' if only that player's do, and '-' otherwise.
func (c *Course) GameOver() byte { return "-BWD"[c.place.GroupResult()] }

// Pieces returns how many pieces a player has.
func (c *Course) Pieces(player byte) int { return bits.OnesCount64(c.PieceSet(player)) }

// PieceSet returns where the pieces of a player stand.
func (c *Course) PieceSet(player byte) uint64 {
	if i := strings.IndexByte(letters, player); i >= 0 {
		return c.place.pieces[i]
	}
	return 0
}

// Board returns the picture of the board.
func (c *Course) Board() game.Board { return c.place.Board() }
