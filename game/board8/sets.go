package board8

import "quintet/game"

// Edge columns.
const (
	columnA uint64 = 0x01_01_01_01_01_01_01_01
	columnH        = columnA << 7
)

// Bit returns the set with one cell.
func Bit(c game.Cell) uint64 { return 1 << (c & 63) }

// At returns the set with the cell in a row and column, counted from 0; the empty set
// outside the board.
func At(row, col int) uint64 {
	if row < 0 || row > 7 || col < 0 || col > 7 {
		return 0
	}
	return 1 << (row*8 + col)
}

// Around returns the cells adjacent to a cell of the set in any of the eight
// directions, including cells of the set.
func Around(set uint64) uint64 {
	beside := set<<1&^columnA | set>>1&^columnH
	row := set | beside
	return beside | row<<8 | row>>8
}

// Connected reports whether pieces form one group, connected in the eight directions.
// A single piece and the empty set are connected.
func Connected(pieces uint64) bool { return Group(pieces&-pieces, pieces) == pieces }

// Group returns the group that contains the seed, by flood fill. Counting links, or
// excluding isolated pieces first, was measured to be slower. Two steps make one turn of
// the loop, because a turn takes longer than a step in WebAssembly.
func Group(seed, pieces uint64) uint64 {
	for {
		group := (seed | Around(seed)) & pieces
		group = (group | Around(group)) & pieces
		if group == seed {
			return group
		}
		seed = group
	}
}
