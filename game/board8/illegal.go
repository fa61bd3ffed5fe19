package board8

import (
	"fmt"

	"quintet/game"
)

// WhyBlocked returns why the rules of a game do not let a piece of the side to move go to a cell;
// "" if they do. The side has no piece on that cell.
type WhyBlocked func(from, to int) string

// WhyIllegal implements game.Explainer for both games. names are the names of the
// sides.
func WhyIllegal(p game.Position, place *Placement, names [2]string, barred WhyBlocked, m game.Move) string {
	own, other := place.Sides()
	name, opponent := names[p.Turn()&1], names[p.Turn()&1^1]
	legal := p.Moves(nil)
	passes := len(legal) == 1 && legal[0] == game.Pass
	from, _ := m.From()
	switch to := m.To(); {
	case len(legal) == 0:
		return game.WhyOver
	case m == game.Pass && !passes:
		return game.WhyNoPass(name)
	case m == game.Pass:
		return ""
	case passes:
		return game.WhyMustPass(name)
	case m != game.Shift(from, to) || from > 63 || to > 63:
		return game.WhyOtherGame
	case other&Bit(from) != 0:
		return fmt.Sprintf("the piece on %s is %s's", coords.Name(from), opponent)
	case own&Bit(from) == 0:
		return fmt.Sprintf("there is no piece on %s", coords.Name(from))
	case from == to:
		return "a piece moves from one cell to another"
	case own&Bit(to) != 0:
		return fmt.Sprintf("%s has a piece on %s already", name, coords.Name(to))
	default:
		return barred(int(from), int(to))
	}
}

// Ray is a straight line between two cells.
type Ray struct {
	Length int    // number of steps
	Down   int    // rows per step, -1 to 1
	Right  int    // columns per step, -1 to 1
	Inside uint64 // the cells in between
}

// RayBetween returns the line between two cells along a row, a column or a diagonal;
// ok is false if there is none or the cells are equal.
func RayBetween(from, to int) (r Ray, ok bool) {
	down, right := to/8-from/8, to%8-from%8
	r.Length = max(down, -down, right, -right)
	if r.Length == 0 || down != 0 && right != 0 && down != right && down != -right {
		return Ray{}, false
	}
	r.Down, r.Right = down/r.Length, right/r.Length
	for n := 1; n < r.Length; n++ {
		r.Inside |= At(from/8+n*r.Down, from%8+n*r.Right)
	}
	return r, true
}

// Name returns the name of a cell.
func Name(cell int) string { return coords.Name(game.Cell(cell)) }

// Number formats a number of things: "1 cell", "2 cells".
func Number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// NoLine returns the reason against a move between cells that are not on a line.
func NoLine(from, to int) string {
	return fmt.Sprintf("%s and %s are not on one row, column or diagonal", Name(from), Name(to))
}
