package loa

import (
	"math/bits"

	"quintet/game/board8"
)

// lines are the four lines through a cell, including the cell. Adjacent cells are 1,
// 8, 9 and 7 apart.
type lines [4]uint64 // row, column, falling and rising

// through has the lines of each cell.
var through = makeThrough()

func makeThrough() (through [64]lines) {
	for c := range through {
		through[c] = lines{line(c, 0, 1), line(c, 1, 0), line(c, 1, 1), line(c, 1, -1)}
	}
	return through
}

// line returns the cells in both directions from a cell, and the cell.
func line(cell, down, right int) (set uint64) {
	for n := -7; n <= 7; n++ {
		set |= board8.At(cell/8+n*down, cell%8+n*right)
	}
	return set
}

// along returns the targets of a piece on one line through it: as many cells away as
// the line has pieces, in either direction, if no opponent is in between. The cells
// between two bits are the higher bit minus twice the lower.
func along(piece, line, all, other uint64, step int) uint64 {
	distance := bits.OnesCount64(line&all) * step & 63
	up, down := piece<<distance&line, piece>>distance&line
	line &= other
	if line&(up-2*piece) != 0 {
		up = 0
	}
	if line&(piece-2*down) != 0 {
		down = 0
	}
	return up | down
}

// Targets returns the targets of a piece of a side with the pieces own against an
// opponent with the pieces other.
func Targets(from int, own, other uint64) uint64 {
	l, piece, all := &through[from&63], uint64(1)<<(from&63), own|other
	return (along(piece, l[0], all, other, 1) |
		along(piece, l[1], all, other, 8) |
		along(piece, l[2], all, other, 9) |
		along(piece, l[3], all, other, 7)) &^ own
}

// mobile reports whether a side can move a piece.
func mobile(own, other uint64) bool {
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		if Targets(bits.TrailingZeros64(pieces), own, other) != 0 {
			return true
		}
	}
	return false
}

// count returns the number of moves that the pieces of a side have.
func count(own, other uint64) (n int) {
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		n += bits.OnesCount64(Targets(bits.TrailingZeros64(pieces), own, other))
	}
	return n
}
