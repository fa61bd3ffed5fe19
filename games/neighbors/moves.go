package neighbors

import (
	"math/bits"

	"quintet/game/board8"
)

// adjacent has the neighbouring cells of each cell.
var adjacent = makeAdjacent()

// reach has the targets from each cell by the number of neighbours: none for 0, and
// none for 8 because no line is that long.
var reach = makeReach()

func makeAdjacent() (next [64]uint64) {
	for c := range next {
		next[c] = board8.Around(1 << c)
	}
	return next
}

func makeReach() (reach [64][9]uint64) {
	for c := range reach {
		row, col := c/8, c%8
		for n := 1; n < 8; n++ {
			for _, d := range []int{-n, 0, n} {
				reach[c][n] |= board8.At(row-n, col+d) | board8.At(row+n, col+d) | board8.At(row+d, col-n) | board8.At(row+d, col+n)
			}
		}
	}
	return reach
}

// neighbours returns the number of pieces adjacent to a cell.
func neighbours(c int, all uint64) int { return bits.OnesCount64(adjacent[c&63] & all) }

// Targets returns the targets of a piece of a side with the pieces own against an
// opponent with the pieces other.
func Targets(from int, own, other uint64) uint64 {
	return reach[from&63][neighbours(from, own|other)] &^ own
}

// mobile reports whether a side can move a piece.
func mobile(own, other uint64) bool {
	for pieces := own & board8.Around(own|other); pieces != 0; pieces &= pieces - 1 {
		if Targets(bits.TrailingZeros64(pieces), own, other) != 0 {
			return true
		}
	}
	return false
}
