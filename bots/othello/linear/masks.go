package linear

// Shape says which cells of a square board exist: rows from the top, bit 0 is column a.
type Shape struct {
	Size int
	Rows [26]uint32
}

// Cells returns the number of cells that are not pits.
func (s *Shape) Cells() (n int) {
	for r := range s.Size {
		for c := range s.Size {
			if !s.wall(r, c) {
				n++
			}
		}
	}
	return n
}

// wall reports whether a cell is a pit or outside the board.
func (s *Shape) wall(r, c int) bool {
	return r < 0 || c < 0 || r >= s.Size || c >= s.Size || s.Rows[r]>>c&1 == 0
}

// open returns the number of open lines through a cell; -1 for a wall.
func (s *Shape) open(r, c int) (n int) {
	if s.wall(r, c) {
		return -1
	}
	for _, line := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		if !s.wall(r+line[0], c+line[1]) && !s.wall(r-line[0], c-line[1]) {
			n++
		}
	}
	return n
}

// besideFewer reports whether a neighbour of a cell has fewer than four open lines.
func (s *Shape) besideFewer(r, c int) bool {
	for y := r - 1; y <= r+1; y++ {
		for x := c - 1; x <= c+1; x++ {
			if s.open(y, x) < 4 {
				return true
			}
		}
	}
	return false
}

// Masks returns the classes of cells of each word of a board. place returns the word and the bit
// of a cell.
func (s *Shape) Masks(words int, place func(row, col int) (word, bit int)) []Masks {
	list := make([]Masks, words)
	for r := range s.Size {
		for c := range s.Size {
			if s.wall(r, c) {
				continue
			}
			word, bit := place(r, c)
			*list[word].class(s.open(r, c), s.besideFewer(r, c)) |= 1 << bit
		}
	}
	return list
}

// class returns the set of cells with a number of open lines.
func (m *Masks) class(open int, besideFewer bool) *uint64 {
	switch {
	case open == 0:
		return &m.Anchors
	case open == 1:
		return &m.Edges
	case open < 4:
		return &m.slopes
	case besideFewer:
		return &m.second
	}
	return &m.inner
}
