package connect6

import (
	"math/bits"

	"quintet/game"
)

// zone is a set of cells.
type zone [(maxCells + 63) / 64]uint64

func (z *zone) add(c cell)      { z[c>>6] |= 1 << (c & 63) }
func (z *zone) remove(c cell)   { z[c>>6] &^= 1 << (c & 63) }
func (z *zone) has(c cell) bool { return z[c>>6]>>(c&63)&1 != 0 }

func (z *zone) union(other *zone) {
	for i, w := range other {
		z[i] |= w
	}
}

func (z *zone) intersect(other *zone) {
	for i, w := range other {
		z[i] &= w
	}
}

// first returns a cell of the zone, or none.
func (z *zone) first() cell {
	for i, w := range z {
		if w != 0 {
			return cell(i<<6 | bits.TrailingZeros64(w))
		}
	}
	return none
}

// addWindows adds the cells of the windows of a side, without stones of the other, that have
// at least a number of its stones.
func (z *zone) addWindows(b *board, s game.Side, least int) {
	for line := range b.lines {
		ones, twos, fours := windowsWith(b.stones[s][line], b.blocked[s][line])
		windows := fours
		switch least {
		case 3:
			windows |= ones & twos
		case 2:
			windows |= twos
		case 1:
			windows |= ones | twos
		case 0:
			_, _, windows = windowsWith(^b.blocked[s][line], b.blocked[s][line]) // six cells each
		}
		for cells := spread(windows); cells != 0; cells &= cells - 1 {
			z.add(b.cellOf[line][bits.TrailingZeros64(cells)-reach])
		}
	}
}

// onlyVacant removes the cells with stones.
func (z *zone) onlyVacant(b *board) {
	for c := range cell(b.size * b.size) {
		if z.has(c) && !b.vacant(c) {
			z.remove(c)
		}
	}
}
