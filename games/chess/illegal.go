package chess

import (
	"fmt"

	"quintet/game"
)

// movement has the name of each kind of piece and how it moves.
var movement = map[byte]struct{ name, how string }{
	King:   {"king", "moves one square in any direction; there is no castling here"},
	Queen:  {"queen", "moves along ranks, files and diagonals"},
	Rook:   {"rook", "moves along ranks and files"},
	Bishop: {"bishop", "moves along diagonals"},
	Knight: {"knight", "moves two squares along a rank or file, and one across"},
	Pawn:   {"pawn", "moves one square ahead (two from home), and captures diagonally ahead"},
}

// WhyIllegal implements game.Explainer.
func (p *Position) WhyIllegal(m game.Move) string {
	own, other := p.pieces[p.turn&1], p.pieces[p.turn&1^1]
	passes := p.onlyMove(game.Pass)
	from, _ := m.From()
	switch to := m.To(); {
	case p.Result().Over():
		return game.WhyOver
	case m == game.Pass && !passes:
		return game.WhyNoPass(sides[p.turn&1])
	case m == game.Pass:
		return ""
	case m != game.Shift(from, to) || from > 63 || to > 63:
		return game.WhyOtherGame
	case passes:
		return game.WhyMustPass(sides[p.turn&1])
	case other&bit(int(from)) != 0:
		return fmt.Sprintf("the %s on %s is %s's", movement[p.At(from).Kind].name, coords.Name(from), sides[p.turn&1^1])
	case own&bit(int(from)) == 0:
		return fmt.Sprintf("there is no piece on %s", coords.Name(from))
	case from == to:
		return "a piece moves from one square to another"
	case own&bit(int(to)) != 0:
		return p.describe(int(to)) + " is there already"
	case p.targets(int(from))&bit(int(to)) != 0:
		return ""
	}
	return p.whyBlocked(int(from), int(m.To()))
}

// describe names the piece on a cell: "White's pawn on e4".
func (p *Position) describe(cell int) string {
	piece := p.At(game.Cell(cell))
	return fmt.Sprintf("%s's %s on %s", sides[piece.Side], movement[piece.Kind].name, coords.Name(game.Cell(cell)))
}

// whyBlocked returns why a piece of the side to move cannot go to a cell on which the side has no
// piece.
func (p *Position) whyBlocked(from, to int) string {
	kind := p.At(game.Cell(from)).Kind
	down, right := to/8-from/8, to%8-from%8
	if kind == Pawn {
		return p.whyPawnBlocked(from, to, down, right)
	}
	straight := down == 0 || right == 0
	diagonal := down == right || down == -right
	b := bit(from)
	if p.straights&b != 0 && straight || p.diagonals&b != 0 && diagonal {
		return p.describe(p.firstPiece(from, to, down, right)) + " is in the way"
	}
	return "a " + movement[kind].name + " " + movement[kind].how
}

// firstPiece returns the first occupied cell on the line from one cell to another,
// including the latter.
func (p *Position) firstPiece(from, to, down, right int) int {
	steps := max(down, -down, right, -right)
	step := down/steps*8 + right/steps
	at := from + step
	for at != to && (p.pieces[0]|p.pieces[1])&bit(at) == 0 {
		at += step
	}
	return at
}

// whyPawnBlocked returns why an own pawn cannot move down rows and right columns, to
// a cell without an own piece.
func (p *Position) whyPawnBlocked(from, to, down, right int) string {
	ahead, home := -down, uint64(rank2)
	if p.turn == game.Second {
		ahead, home = down, rank7
	}
	switch {
	case right == 0 && ahead == 2 && home&bit(from) == 0:
		return "a pawn moves two squares only from its home rank"
	case right == 0 && (ahead == 1 || ahead == 2):
		return p.describe(p.firstPiece(from, to, down, right)) + " is in the way"
	case ahead == 1 && (right == 1 || right == -1):
		return fmt.Sprintf("a pawn moves diagonally only to capture, and %s is empty", coords.Name(game.Cell(to)))
	}
	return "a pawn " + movement[Pawn].how
}
