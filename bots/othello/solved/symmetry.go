package solved

import (
	"math/bits"
	"slices"
	"strings"

	"quintet/game"
)

// symmetry is a mirror image or rotation of a board: where each cell, numbered row by row,
// goes.
type symmetry []int

// symmetries returns the eight symmetries of a board.
func symmetries(size int) (list []symmetry) {
	for k := range 8 {
		s := make(symmetry, size*size)
		for cell := range s {
			row, col := cell/size, cell%size
			if k&1 != 0 {
				row, col = col, row
			}
			if k&2 != 0 {
				row = size - 1 - row
			}
			if k&4 != 0 {
				col = size - 1 - col
			}
			s[cell] = row*size + col
		}
		list = append(list, s)
	}
	return list
}

// image returns the image of a set of cells.
func (s symmetry) image(set uint64) (image uint64) {
	for ; set != 0; set &= set - 1 {
		image |= 1 << s[bits.TrailingZeros64(set)]
	}
	return image
}

// turnBack returns the moves whose images are given.
func (s symmetry) turnBack(moves []game.Move) []game.Move {
	list := make([]game.Move, 0, len(moves))
	for _, m := range moves {
		if m != game.Pass {
			m = game.Put(game.Cell(slices.Index(s, int(m.To()))))
		}
		list = append(list, m)
	}
	return list
}

// start returns the cells of Black at the start of the course, and those of White, which are their
// mirror images.
func start(size int) (black, white uint64) {
	middle := (size/2-1)*size + size/2 - 1
	return 1<<middle | 1<<(middle+size+1), 1<<(middle+1) | 1<<(middle+size)
}

// Class returns the canonical pits of a board: those that come first, in order of cells, among
// its mirror images that begin with Black on the same cells. Bit i of pits is cell i.
func Class(size int, pits uint64) string {
	black, _ := start(size)
	least := pits
	for _, s := range symmetries(size) {
		image := s.image(pits)
		if d := image ^ least; s.image(black) == black && image&d&-d != 0 { // the first cell that differs is in the image
			least = image
		}
	}
	return names(least, size)
}

// names returns a set of cells such as "a1,b2".
func names(set uint64, size int) string {
	var words []string
	for ; set != 0; set &= set - 1 {
		words = append(words, coords(size).Name(game.Cell(bits.TrailingZeros64(set))))
	}
	return strings.Join(words, ",")
}

// cells returns the cells of a bitboard as a set: bit i is cell i.
func cells(b uint64, size int) (set uint64) {
	for row := range size {
		set |= b >> (8 * row) & (1<<size - 1) << (row * size)
	}
	return set
}
