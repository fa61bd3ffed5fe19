package othello

import (
	"math/bits"

	"quintet/game"
)

// grid is a set of cells of a board of any size: a word a row, in which bit 0
// is column a.
type grid [maxSize]uint32

// count returns the number of cells in the set.
func (g *grid) count(size int) (n int) {
	for _, row := range g[:size] {
		n += bits.OnesCount32(row)
	}
	return n
}

// reach sets the grid to the cells on which the side own can put a disc, and
// reports whether there are any. It sweeps the board down and up once, with
// the runs of discs of the other side that come in from the row before.
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

// incoming is what a row sends to the next, straight on and both ways
// diagonally: its own discs, and the cells of the other side at which a run
// that began at a disc of own has arrived.
type incoming struct{ own, straight, left, right uint32 }

// cells returns the cells of the next row at which runs come in.
func (i *incoming) cells() uint32 { return i.straight | i.left>>1 | i.right<<1 }

// pass takes the runs through the next row.
func (i *incoming) pass(own, other uint32) {
	i.straight = other & (i.straight | i.own)
	i.left = other & ((i.left | i.own) >> 1)
	i.right = other & ((i.right | i.own) << 1)
	i.own = own
}

// along returns the cells next to runs of the other side in a row that begin
// at a disc of own; some may be occupied. Toward higher bits a run is carried
// by an addition, toward lower ones it is followed by doubling steps, of which
// four do for 16 cells and the fifth for the rest.
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

// put puts a disc on a cell and takes over the discs of the other side that it
// encloses.
func (g *grid) put(other *grid, row int, bit uint32, size int) {
	for _, d := range directions {
		g.turn(other, row, bit, d, size)
	}
	g[row] |= bit
}

// direction is one of the eight: the rows to go down, and which way to shift.
type direction struct {
	down        int
	left, right uint
}

var directions = [8]direction{
	{-1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {-1, 0, 1}, {-1, 1, 0}, {1, 0, 1}, {1, 1, 0},
}

// turn takes over the discs that are enclosed in one direction from a cell. A
// bit shifted out of the board meets no disc.
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

// cellsOf returns the cells of a board in the letters of a position's text.
func cellsOf(first, second, ground *grid, size int) []byte {
	cells := make([]byte, 0, size*size)
	for row := range size {
		for bit := uint32(1); bit < 1<<size; bit <<= 1 {
			letter := byte(game.Blank)
			switch {
			case ground[row]&bit == 0:
				letter = pit
			case first[row]&bit != 0:
				letter = discs[game.First]
			case second[row]&bit != 0:
				letter = discs[game.Second]
			}
			cells = append(cells, letter)
		}
	}
	return cells
}
