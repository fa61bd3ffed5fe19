package board8

import "quintet/game"

// The columns at the edges.
const (
	columnA uint64 = 0x01_01_01_01_01_01_01_01
	columnH        = columnA << 7
)

// Bit returns the set of one cell.
func Bit(c game.Cell) uint64 { return 1 << (c & 63) }

// At returns the set of the cell in a row and column, both counted from 0; the
// empty set outside the board.
func At(row, col int) uint64 {
	if row < 0 || row > 7 || col < 0 || col > 7 {
		return 0
	}
	return 1 << (row*8 + col)
}

// Around returns the cells that are next to a cell of the set, in any of the
// eight directions. A cell of the set is among them if it is next to another.
func Around(set uint64) uint64 {
	beside := set<<1&^columnA | set>>1&^columnH
	row := set | beside
	return beside | row<<8 | row>>8
}

// Connected reports whether pieces form one group, each linked to each by
// steps in the eight directions from piece to piece. A single piece does, and
// so do no pieces.
func Connected(pieces uint64) bool { return Group(pieces&-pieces, pieces) == pieces }

// Group returns the group of the pieces that the seed belongs to. Growing it
// step by step takes a few nanoseconds; counting links, or ruling out lone
// pieces first, was measured to be slower.
func Group(seed, pieces uint64) uint64 {
	for {
		group := (seed | Around(seed)) & pieces
		if group == seed {
			return group
		}
		seed = group
	}
}

// deBruijn holds every number of six bits once, in consecutive bits: it is the
// least of the de Bruijn sequences.
const deBruijn uint64 = 0x0218a392cd3d5dbf

// bitIndex is the index of the bit of which a multiplication by the sequence
// leaves the number in the six highest bits.
var bitIndex = makeBitIndex()

func makeBitIndex() (place [64]uint8) {
	for i := range place {
		place[deBruijn<<i>>58] = uint8(i)
	}
	return place
}

// Lowest returns the index of the lowest bit of a set that is not empty. It is
// bits.TrailingZeros64 by multiplication, after Leiserson, Prokop and Randall,
// "Using de Bruijn sequences to index a 1 in a computer word" (1998). The
// instruction that plain builds have for it waits for whatever was last in the
// register that it writes, and so for the pass of a loop before.
func Lowest(set uint64) int { return int(bitIndex[set&-set*deBruijn>>58]) }
