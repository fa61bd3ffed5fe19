package othello

import "math/bits"

// grid is a set of cells of a board of any size: one word per row, bit 0 is column a.
type grid [maxSize]uint32

// count returns the number of cells in the set.
func (g *grid) count(size int) (n int) {
	for _, row := range g[:size] {
		n += bits.OnesCount32(row)
	}
	return n
}

// reach sets the grid to the legal moves of the side own, and reports whether there
// are any. It sweeps the board once in each vertical direction and carries the runs
// of the opponent's discs from row to row.
func (g *grid) reach(own, other, ground *grid, size int) bool {
	var down, up incoming
	for r := range size {
		g[r] = down.cells() | along(own[r], other[r])
		down.pass(own[r], other[r])
	}
	var any uint32
	for r := size - 1; r >= 0; r-- {
		g[r] |= up.cells()
		g[r] &= ground[r] &^ (own[r] | other[r])
		any |= g[r]
		up.pass(own[r], other[r])
	}
	return any != 0
}

// incoming is the state that a row passes to the next, straight and diagonally: its
// own discs, and the opponent's discs reached by runs that begin at an own disc.
type incoming struct{ own, straight, left, right uint32 }

// cells returns the cells of the next row that runs enter.
func (i *incoming) cells() uint32 { return i.straight | i.left>>1 | i.right<<1 }

// pass advances the runs through the next row.
func (i *incoming) pass(own, other uint32) {
	i.straight = other & (i.straight | i.own)
	i.left = other & ((i.left | i.own) >> 1)
	i.right = other & ((i.right | i.own) << 1)
	i.own = own
}

// along returns the cells after runs of the opponent's discs in a row that begin at
// an own disc; some may be occupied. Toward higher bits an addition carries through a
// run; toward lower bits doubling steps follow it: four for 16 cells, a fifth for the
// rest.
func along(own, other uint32) uint32 {
	start := other & (own << 1)
	high := (other + start) &^ other
	low := other & (own >> 1)
	for step, mask := uint(1), other; step < maxSize; step *= 2 {
		low |= mask & (low >> step)
		mask &= mask >> step
	}
	return high | low>>1
}

// put puts a disc on a cell and flips the enclosed discs of the opponent.
func (g *grid) put(other *grid, row int, bit uint32, size int) {
	for _, d := range directions {
		g.turn(other, row, bit, d, size)
	}
	g[row] |= bit
}

// direction is one of the eight directions: rows down and shifts per step.
type direction struct {
	down        int
	left, right uint
}

var directions = [8]direction{
	{-1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {-1, 0, 1}, {-1, 1, 0}, {1, 0, 1}, {1, 1, 0},
}

// turn flips the discs enclosed in one direction from a cell.
func (g *grid) turn(other *grid, row int, bit uint32, d direction, size int) {
	r, b := row+d.down, bit<<d.left>>d.right
	enclosed := 0
	for uint(r) < uint(size) && other[r]&b != 0 {
		r, b = r+d.down, b<<d.left>>d.right
		enclosed++
	}
	if uint(r) >= uint(size) || g[r]&b == 0 {
		return
	}
	for range enclosed {
		r, b = r-d.down, b>>d.left<<d.right
		g[r] |= b
		other[r] &^= b
	}
}
