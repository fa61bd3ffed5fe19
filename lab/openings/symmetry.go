package openings

import (
	"quintet/game"
	"quintet/games/connect6"
)

// stones are the stones of a board by side and row.
type stones [2][boardSize]uint32

// symmetries is the number of symmetries of the board.
const symmetries = 8

// canonical returns the same stones for all positions that are rotated or mirrored images of
// each other: the image that comes first.
func canonical(p *connect6.Position) (first stones) {
	for symmetry := range symmetries {
		if image := imageOf(p, symmetry); symmetry == 0 || image.before(&first) {
			first = image
		}
	}
	return first
}

// imageOf returns a symmetric image. The bits of symmetry flip rows, columns and the diagonal.
func imageOf(p *connect6.Position, symmetry int) (image stones) {
	for s := range game.Side(2) {
		for row := range boardSize {
			for col := range boardSize {
				if p.Row(s, row)>>col&1 == 0 {
					continue
				}
				y, x := row, col
				if symmetry&1 != 0 {
					y = boardSize - 1 - y
				}
				if symmetry&2 != 0 {
					x = boardSize - 1 - x
				}
				if symmetry&4 != 0 {
					y, x = x, y
				}
				image[s][y] |= 1 << x
			}
		}
	}
	return image
}

// before reports whether stones come before others in an arbitrary order.
func (b *stones) before(other *stones) bool {
	for s := range b {
		for row, w := range b[s] {
			if w != other[s][row] {
				return w < other[s][row]
			}
		}
	}
	return false
}
