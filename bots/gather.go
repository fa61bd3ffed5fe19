package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/game/board8"
	"quintet/games/neighbors"
)

// gathering is a position of a game in which pieces are gathered in a group.
type gathering interface {
	Men(s game.Side) uint64
	Turn() game.Side
}

// Weights of the features of Lines of Action and Neighbors. Concentration and
// the number of groups are what programs for Lines of Action have counted
// (Winands, van den Herik and Uiterwijk, "An evaluation function for Lines of
// Action", 2003); the numbers are ours, set by hand.
const (
	gatherDistance = 40 // against: a step of mean distance from the middle of one's pieces
	gatherGroup    = 14 // against: a group
	gatherMove     = 2  // a move, in Neighbors
	gatherLoose    = 20 // against: a piece that cannot move, in Neighbors
)

func evalLOA(p game.Position) int {
	g := p.(gathering)
	return gathered(g.Men(g.Turn())) - gathered(g.Men(g.Turn().Other()))
}

// gathered says how near to one group pieces are.
func gathered(men uint64) int {
	n := bits.OnesCount64(men)
	rows, cols := 0, 0
	for m := men; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		rows, cols = rows+c/8, cols+c%8
	}
	distance := 0
	for m := men; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		// In n-ths of a cell, so that the middle need not be one.
		distance += max(abs(c/8*n-rows), abs(c%8*n-cols))
	}
	groups := 0
	for m := men; m != 0; groups++ {
		m &^= board8.Group(m&-m, m)
	}
	return -gatherDistance*distance/(n*n) - gatherGroup*groups
}

func abs(n int) int { return max(n, -n) }

func evalNeighbors(p game.Position) int {
	q := p.(*neighbors.Position)
	own, other := q.Sides()
	moves, stuck := q.Mobility(q.Turn())
	theirs, theirStuck := q.Mobility(q.Turn().Other())
	return gathered(own) - gathered(other) + gatherMove*(moves-theirs) - gatherLoose*(stuck-theirStuck)
}

// takesPiece reports whether a piece is captured.
func takesPiece(p game.Position, m game.Move) bool {
	g := p.(gathering)
	return m != game.Pass && g.Men(g.Turn().Other())&board8.Bit(m.To()) != 0
}

// gatherOrder tries moves toward the middle of the side's pieces first.
func gatherOrder(_ game.Position, m game.Move) int {
	from, ok := m.From()
	if !ok {
		return 0
	}
	return 10 * (fromCentre(from) - fromCentre(m.To()))
}

// fromCentre is how far a cell lies from the middle of the board, in half
// steps.
func fromCentre(c game.Cell) int {
	return max(abs(2*int(c/8)-7), abs(2*int(c%8)-7))
}
