package large

import (
	"iter"
	"math/bits"
)

// cellsOf yields the cells of a set, counted row by row from the top left.
func (g *geometry) cellsOf(s *set) iter.Seq[int] {
	return func(yield func(int) bool) {
		for row := range g.size {
			word, shift := g.place(row, 0)
			for x := uint32(s[word] >> shift); x != 0; x &= x - 1 {
				if !yield(row*g.size + bits.TrailingZeros32(x)) {
					return
				}
			}
		}
	}
}

// at returns the row and the column of a bit of a word.
func (g *geometry) at(word, bit int) (row, col int) {
	if bit < 32 {
		return word, bit
	}
	return g.size - 1 - word, bit - 32
}
