package pattern

import "math/bits"

// lanes is the number of shapes, and two more so that they fill three vectors.
const lanes = 48

// numbers are what stands on each shape, in base 3: 1 for a disc of the side to
// move, 2 for one of the other.
type numbers [lanes]uint16

// rowNumbers holds what the discs on a row add to the numbers.
type rowNumbers [8][256]numbers

var (
	shapes  = allShapes()
	addends = makeAddends(shapes)
	firsts  = makeFirsts(shapes)
)

func makeAddends(shapes []shape) *rowNumbers {
	var cell [64]numbers
	for i, s := range shapes {
		for digit, c := range s.cells {
			cell[c][i] = uint16(power(digit))
		}
	}
	t := new(rowNumbers)
	for row := range t {
		for discs := range t[row] {
			for m := discs; m != 0; m &= m - 1 {
				t[row][discs].add(&cell[row*8+bits.TrailingZeros(uint(m))], 1)
			}
		}
	}
	return t
}

func (n *numbers) add(m *numbers, times uint16) {
	for i := range n {
		n[i] += times * m[i]
	}
}

func makeFirsts(shapes []shape) (first [lanes]int32) {
	for i, s := range shapes {
		first[i] = int32(s.first)
	}
	return first
}

// numbersOf returns the numbers of a board.
func numbersOf(own, other uint64) (n numbers) {
	for row := range 8 {
		n.add(&addends[row][uint8(own>>(8*row))], 1)
		n.add(&addends[row][uint8(other>>(8*row))], 2)
	}
	return n
}

// sumPlain adds up the values of the patterns on a board.
func sumPlain(own, other uint64, t *tables) (v int) {
	n := numbersOf(own, other)
	for i, first := range firsts[:Shapes] {
		v += int(t.coarse[int(first)+int(n[i])])
	}
	return v * coarseUnit
}
