package chess

// Bitboards of files and ranks. A left shift by 8 moves down the board towards rank
// 1, by 1 towards file h.
const (
	fileA = 0x0101010101010101
	fileD = fileA << 3
	fileH = fileA << 7

	rank8 = 0xff
	rank7 = rank8 << 8
	rank6 = rank8 << 16
	rank3 = rank8 << 40
	rank2 = rank8 << 48
	rank1 = rank8 << 56
)

// Targets of leapers by cell.
var (
	knightReach = leaps([]vector{{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}})
	kingReach   = leaps([]vector{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}})
)

// Lines of bishops and rooks by cell.
var (
	diagonal = crosses(vector{1, 1}, vector{1, -1})
	straight = crosses(vector{0, 1}, vector{1, 0})
)

// cross is a pair of lines through a cell and the attacks on them for every occupancy
// of their inner cells. (Cells at the rim do not matter: a slide ends there anyway.)
// A multiplication maps the up to six inner cells to the top six bits, an index.
//
// These are kindergarten bitboards (G. Isenberg and others, Winboard Forum, 2006; see
// chessprogramming.org) with a table for each cell, which saves the steps that
// smaller tables need. In TestPerft they were as fast as magic bitboards, which need
// six times as much memory, and a tenth faster than hyperbola quintessence.
type cross struct {
	mask, gather [2]uint64
	slides       [2][64]uint64
}

// reach returns the cells attacked from the center of the cross, given the occupied
// cells.
func (c *cross) reach(all uint64) uint64 {
	return c.slides[0][(all&c.mask[0])*c.gather[0]>>58] |
		c.slides[1][(all&c.mask[1])*c.gather[1]>>58]
}

// vector is a step, in rows down and columns to the right.
type vector struct{ y, x int }

// from returns the cell one step away; ok is false outside the board.
func (v vector) from(cell int) (to int, ok bool) {
	y, x := cell/8+v.y, cell%8+v.x
	return y*8 + x, y >= 0 && y < 8 && x >= 0 && x < 8
}

// slide returns the cells reached by repeated steps, up to and including the first
// occupied one.
func (v vector) slide(cell int, all uint64) (reached uint64) {
	for to, ok := v.from(cell); ok; to, ok = v.from(to) {
		reached |= bit(to)
		if all&bit(to) != 0 {
			break
		}
	}
	return reached
}

// back returns the opposite step.
func (v vector) back() vector { return vector{-v.y, -v.x} }

// line returns the cells reached in both directions.
func (v vector) line(cell int, all uint64) uint64 {
	return v.slide(cell, all) | v.back().slide(cell, all)
}

// rim returns the cells without a step in at least one of the two directions.
func (v vector) rim() uint64 {
	var rim uint64
	if v.y != 0 {
		rim |= rank1 | rank8
	}
	if v.x != 0 {
		rim |= fileA | fileH
	}
	return rim
}

// gatherFactor returns the factor that maps the inner cells of the line through a
// cell to the top six bits of the product.
//
// On a slanting line, cell (y, x) is moved by 57-8y, which takes it to bit 57+x: one
// of the eight steps by a row that the factor is made of. On a file, it is moved by
// 64-9y-x, to bit 64-y. On a rank one shift does it. What the other terms of the
// product add stays below bit 58 or leaves at the top, and no two terms meet, so that
// nothing carries.
func (v vector) gatherFactor(cell int) uint64 {
	switch {
	case v.y == 0:
		return 1 << (57 - cell/8*8)
	case v.x == 0:
		return (1<<55 | 1<<46 | 1<<37 | 1<<28 | 1<<19 | 1<<10) >> (cell % 8)
	}
	return fileA << 1
}

// leaps returns the targets of single steps, by cell.
func leaps(steps []vector) (reach [64]uint64) {
	for cell := range reach {
		for _, v := range steps {
			if to, ok := v.from(cell); ok {
				reach[cell] |= bit(to)
			}
		}
	}
	return reach
}

// crosses returns the crosses of the lines, by cell.
func crosses(lines ...vector) (table [64]cross) {
	for cell := range table {
		c := &table[cell]
		for i, v := range lines {
			c.mask[i] = v.line(cell, 0) &^ v.rim()
			c.gather[i] = v.gatherFactor(cell)
			// Enumerate the subsets of the mask, starting with the empty one.
			for all, more := uint64(0), true; more; more = all != 0 {
				c.slides[i][all*c.gather[i]>>58] = v.line(cell, all)
				all = (all - c.mask[i]) & c.mask[i]
			}
		}
	}
	return table
}
