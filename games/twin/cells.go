package twin

// compass lists the eight directions as row and column steps.
var compass = [8][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}

// cells is a square board, one byte a cell, row 0 at the top.
type cells [][]byte

// newCells is an empty board of n rows and n columns.
func newCells(n int) cells {
	c := make(cells, n)
	for y := range c {
		c[y] = make([]byte, n)
		for x := range c[y] {
			c[y][x] = '.'
		}
	}
	return c
}

// clone is an independent copy of the board.
func (c cells) clone() cells {
	d := newCells(len(c))
	for y := range c {
		copy(d[y], c[y])
	}
	return d
}

// text is the board row by row in one string.
func (c cells) text() string {
	s := ""
	for _, row := range c {
		s += string(row)
	}
	return s
}

// inside tells whether row y and column x are on the board.
func (c cells) inside(y, x int) bool {
	return y >= 0 && y < len(c) && x >= 0 && x < len(c)
}

// count is the number of cells that hold p.
func (c cells) count(p byte) int {
	n := 0
	for _, row := range c {
		for _, b := range row {
			if b == p {
				n++
			}
		}
	}
	return n
}

// connected tells whether the pieces of p form one group, steps in all eight
// directions counted. No piece at all is one group, as the specification says.
func (c cells) connected(p byte) bool {
	seen := newCells(len(c))
	for y := range c {
		for x := range c[y] {
			if c[y][x] == p {
				return c.flood(seen, y, x) == c.count(p)
			}
		}
	}
	return true
}

// flood marks the group that the piece on y, x belongs to and counts it.
func (c cells) flood(seen cells, y, x int) int {
	seen[y][x] = 'x'
	n := 1
	for _, d := range compass {
		v, u := y+d[0], x+d[1]
		if c.inside(v, u) && c[v][u] == c[y][x] && seen[v][u] == '.' {
			n += c.flood(seen, v, u)
		}
	}
	return n
}

// readCell takes apart a cell of neighbors and loa: exactly a letter from a to
// h and a digit from 0 to 7.
func readCell(s string) (y, x int, ok bool) {
	if len(s) != 2 || s[0] < 'a' || s[0] > 'h' || s[1] < '0' || s[1] > '7' {
		return 0, 0, false
	}
	return int(s[1] - '0'), int(s[0] - 'a'), true
}

// writeCell is the reverse of readCell.
func writeCell(y, x int) string {
	return string([]byte{byte('a' + x), byte('0' + y)})
}

// opponent is the other colour of B and W.
func opponent(p byte) byte {
	if p == 'B' {
		return 'W'
	}
	return 'B'
}

// sign is -1, 0 or 1.
func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// absolute is n without its sign.
func absolute(n int) int {
	return n * sign(n)
}

// straight tells whether a displacement is horizontal, vertical or diagonal
// and not zero, and how long it is.
func straight(dy, dx int) (length int, ok bool) {
	length = max(absolute(dy), absolute(dx))
	onLine := dy == 0 || dx == 0 || absolute(dy) == absolute(dx)
	return length, onLine && length > 0
}
