package pattern

// Shapes is the number of shapes on a board.
const Shapes = 46

// patternCount is the number of patterns of all kinds of shapes.
const patternCount = 4*6561 + 2187 + 729 + 243 + 81 + 2*59049 + 19683

// kind is a set of shapes that are one and the same but for turning and
// mirroring the board. Bit row*8+col is a cell.
type kind struct {
	name  string
	cells []int // of the shape from which the others are made
}

// kinds lists the shapes that are looked at.
func kinds() []kind {
	return []kind{
		{"second row", []int{8, 9, 10, 11, 12, 13, 14, 15}},
		{"third row", []int{16, 17, 18, 19, 20, 21, 22, 23}},
		{"fourth row", []int{24, 25, 26, 27, 28, 29, 30, 31}},
		{"long diagonal", []int{0, 9, 18, 27, 36, 45, 54, 63}},
		{"diagonal of 7", []int{1, 10, 19, 28, 37, 46, 55}},
		{"diagonal of 6", []int{2, 11, 20, 29, 38, 47}},
		{"diagonal of 5", []int{3, 12, 21, 30, 39}},
		{"diagonal of 4", []int{4, 13, 22, 31}},
		{"edge and the cells diagonal to its corners", []int{0, 1, 2, 3, 4, 5, 6, 7, 9, 14}},
		{"corner of 2 by 5", []int{0, 1, 2, 3, 4, 8, 9, 10, 11, 12}},
		{"corner of 3 by 3", []int{0, 1, 2, 8, 9, 10, 16, 17, 18}},
	}
}

// shape is one place of a kind on the board.
type shape struct {
	kind  int
	cells []int // the first is the lowest digit
	first int   // index of the first pattern of its kind
}

// turned returns the cells after one of the eight symmetries of the board.
func turned(cells []int, symmetry int) []int {
	to := make([]int, len(cells))
	for i, c := range cells {
		row, col := c/8, c%8
		if symmetry&1 != 0 {
			col = 7 - col
		}
		if symmetry&2 != 0 {
			row = 7 - row
		}
		if symmetry&4 != 0 {
			row, col = col, row
		}
		to[i] = row*8 + col
	}
	return to
}

func mask(cells []int) (m uint64) {
	for _, c := range cells {
		m |= 1 << c
	}
	return m
}

// allShapes lists every place of every kind once.
func allShapes() (list []shape) {
	first := 0
	for k, kind := range kinds() {
		seen := map[uint64]bool{}
		for s := range 8 {
			cells := turned(kind.cells, s)
			if m := mask(cells); !seen[m] {
				seen[m] = true
				list = append(list, shape{k, cells, first})
			}
		}
		first += power(len(kind.cells))
	}
	return list
}

// power returns 3 to the power of n.
func power(n int) int {
	p := 1
	for range n {
		p *= 3
	}
	return p
}

// classes maps every pattern to the one that stands for it and those that
// mirror it within its shape, and returns how many stand for themselves. Those
// are numbered from 0, in order.
func classes() (class [patternCount]int32, n int) {
	first := 0
	for _, kind := range kinds() {
		mirror := mirrored(kind.cells)
		for i := range power(len(kind.cells)) {
			if m := remade(i, mirror); m < i {
				class[first+i] = class[first+m]
				continue
			}
			class[first+i] = int32(n)
			n++
		}
		first += power(len(kind.cells))
	}
	return class, n
}

// mirrored returns, for each digit, the one that takes its place when the shape
// is turned or mirrored onto itself. No kind has more than one way to do so.
func mirrored(cells []int) []int {
	to := make([]int, len(cells))
	for i := range to {
		to[i] = i
	}
	for s := 1; s < 8; s++ {
		image := turned(cells, s)
		if mask(image) != mask(cells) {
			continue
		}
		for i, c := range image {
			for j, d := range cells {
				if c == d && i != j {
					to[i] = j
				}
			}
		}
	}
	return to
}

// remade returns a number with its digits in other places.
func remade(number int, to []int) (n int) {
	for i := range to {
		n += number % 3 * power(to[i])
		number /= 3
	}
	return n
}
