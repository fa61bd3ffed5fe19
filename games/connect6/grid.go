package connect6

// grid is a set of cells: one word per row, bit 0 is column A. Empty rows before the
// first and after the last end lines.
type grid [32]uint32

// row returns the cells of a row, counted from 0.
func (g *grid) row(row int) uint32 { return g[(row+1)&31] }

func (g *grid) put(row, col int) { g[(row+1)&31] |= 1 << (col & 31) }

func (g *grid) has(row, col int) bool { return g.row(row)>>(col&31)&1 != 0 }

// six reports whether one of the four lines through a cell has six or more
// consecutive cells of the set.
func (g *grid) six(row, col int) bool {
	pairs := g.row(row) & (g.row(row) >> 1)
	if pairs&(pairs>>2)&(pairs>>4) != 0 {
		return true
	}
	bit := uint32(1) << (col & 31)
	return 1+g.run(row, bit, -1, 0, 0)+g.run(row, bit, 1, 0, 0) >= Six ||
		1+g.run(row, bit, -1, 0, 1)+g.run(row, bit, 1, 1, 0) >= Six ||
		1+g.run(row, bit, -1, 1, 0)+g.run(row, bit, 1, 0, 1) >= Six
}

// run returns the number of consecutive cells of the set after a cell, going down
// rows (-1 for up) and shifting the bit.
func (g *grid) run(row int, bit uint32, down int, left, right uint) (n int) {
	for {
		row += down
		bit = bit << left >> right
		if g[(row+1)&31]&bit == 0 {
			return n
		}
		n++
	}
}

// anySix reports whether the set contains six cells in a line.
func (g *grid) anySix(size int) bool {
	for row := range size {
		for col := range size {
			if g.has(row, col) && g.six(row, col) {
				return true
			}
		}
	}
	return false
}
