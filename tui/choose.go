package tui

import (
	"slices"

	"quintet/game"
)

// chooser turns cells that are chosen one after the other into a move, for any
// game: what is left are the legal moves that touch all of the cells so far.
type chooser struct {
	legal []game.Move
	cells []game.Cell
}

// touched are the cells of a move in the order in which they are chosen.
func touched(m game.Move) []game.Cell {
	if m == game.Pass {
		return nil
	}
	if from, ok := m.From(); ok {
		return []game.Cell{from, m.To()}
	}
	return []game.Cell{m.To()}
}

// left returns the moves that begin with the chosen cells, and a further one.
func (c *chooser) left(more ...game.Cell) (moves []game.Move) {
	want := append(slices.Clone(c.cells), more...)
	for _, m := range c.legal {
		if t := touched(m); len(t) >= len(want) && slices.Equal(t[:len(want)], want) {
			moves = append(moves, m)
		}
	}
	return moves
}

// choose adds a cell, and returns the moves of which all cells are chosen now:
// usually one, or none if the move goes on. It reports whether any move is left;
// if not, the choice begins anew with the cell.
func (c *chooser) choose(cell game.Cell) (complete []game.Move, ok bool) {
	if len(c.cells) > 0 && c.cells[len(c.cells)-1] == cell { // the same once more gives it back
		c.cells = c.cells[:len(c.cells)-1]
		return nil, true
	}
	if len(c.left(cell)) == 0 {
		c.cells = nil
		if len(c.left(cell)) == 0 {
			return nil, false
		}
	}
	c.cells = append(c.cells, cell)
	for _, m := range c.left() {
		if len(touched(m)) == len(c.cells) {
			complete = append(complete, m)
		}
	}
	return complete, true
}

// targets are the cells that can be chosen next.
func (c *chooser) targets() map[game.Cell][]game.Move {
	list := map[game.Cell][]game.Move{}
	for _, m := range c.left() {
		if t := touched(m); len(t) > len(c.cells) {
			list[t[len(c.cells)]] = append(list[t[len(c.cells)]], m)
		}
	}
	return list
}

// pass reports whether there is nothing to do but to pass.
func (c *chooser) pass() bool { return len(c.legal) == 1 && c.legal[0] == game.Pass }
