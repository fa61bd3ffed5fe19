package solved

import (
	"math/bits"
	"slices"
	"strings"

	"quintet/game"
	"quintet/games/othello"
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

// images returns where cells go, in order.
func (s symmetry) images(cells []int) []int {
	list := make([]int, 0, len(cells))
	for _, c := range cells {
		list = append(list, s[c])
	}
	slices.Sort(list)
	return list
}

// turnBack returns the moves of which moves are the images.
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

// course returns the cells of Black at the start of the course; those of White are their
// mirror images.
func course(size int) []int {
	h := size / 2
	return []int{(h-1)*size + h - 1, h*size + h}
}

// against returns the cells of White at the start of the course.
func against(size int) []int {
	h := size / 2
	return []int{(h-1)*size + h, h*size + h - 1}
}

// Class returns the canonical pits of a board: those that come first, in order of cells, among
// its mirror images that begin with Black on the same cells.
func Class(size int, pits []int) string {
	var least []int
	for _, s := range symmetries(size) {
		if !slices.Equal(s.images(course(size)), course(size)) {
			continue
		}
		if image := s.images(pits); least == nil || slices.Compare(image, least) < 0 {
			least = image
		}
	}
	return names(least, size)
}

// names returns a list of cells such as "a1,b2".
func names(cells []int, size int) string {
	words := make([]string, 0, len(cells))
	for _, c := range cells {
		words = append(words, coords(size).Name(game.Cell(c)))
	}
	return strings.Join(words, ",")
}

// full returns the cells of a board as a bitboard.
func full(size int) (b uint64) {
	for row := range size {
		b |= (1<<size - 1) << (8 * row)
	}
	return b
}

// cells returns the numbers of the cells of a bitboard.
func cells(b uint64, size int) (list []int) {
	for ; b != 0; b &= b - 1 {
		square := bits.TrailingZeros64(b)
		list = append(list, square/8*size+square%8)
	}
	return list
}

// Mirrored reports whether two moves of a start are mirror images of each other.
func Mirrored(p *othello.Small, a, b game.Move) bool {
	size, w := p.Size(), p.Bitboards()
	for _, s := range symmetries(size) {
		if s[a.To()] == int(b.To()) && s.keeps(w.Own, size) && s.keeps(w.Other, size) && s.keeps(w.Ground, size) {
			return true
		}
	}
	return false
}

// keeps reports whether the image of a bitboard is the same.
func (s symmetry) keeps(b uint64, size int) bool {
	list := cells(b, size)
	return slices.Equal(s.images(list), list)
}
