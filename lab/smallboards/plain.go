package smallboards

import "strings"

// plain is a position by the plain rules of Othello. It is the slow checker's own, and
// shares nothing with package games/othello.
type plain struct {
	size  int
	cells string // row by row: X, O, "." or "#" for a pit
	turn  byte   // X or O
}

// plainStart returns the start of the course with pits such as "a1,b2".
func plainStart(size int, pits string) plain {
	cells := []byte(strings.Repeat(".", size*size))
	h := size / 2
	cells[(h-1)*size+h-1], cells[h*size+h] = 'X', 'X'
	cells[(h-1)*size+h], cells[h*size+h-1] = 'O', 'O'
	for pit := range strings.SplitSeq(pits, ",") {
		if pit != "" {
			cells[int(pit[1]-'1')*size+int(pit[0]-'a')] = '#'
		}
	}
	return plain{size, string(cells), 'X'}
}

func opponent(side byte) byte {
	if side == 'X' {
		return 'O'
	}
	return 'X'
}

// flips returns the discs that a disc of the side to move on a cell would turn over.
func (p plain) flips(cell int) (list []int) {
	if p.cells[cell] != '.' {
		return nil
	}
	for down := -1; down <= 1; down++ {
		for right := -1; right <= 1; right++ {
			var run []int
			row, col := cell/p.size+down, cell%p.size+right
			for (down != 0 || right != 0) && p.at(row, col) == opponent(p.turn) {
				run = append(run, row*p.size+col)
				row, col = row+down, col+right
			}
			if p.at(row, col) == p.turn {
				list = append(list, run...)
			}
		}
	}
	return list
}

// at returns what is on a cell; off the board there are pits.
func (p plain) at(row, col int) byte {
	if row < 0 || row >= p.size || col < 0 || col >= p.size {
		return '#'
	}
	return p.cells[row*p.size+col]
}

// moves returns the positions after each legal move, with the cells of the moves.
func (p plain) moves() (cells []int, after []plain) {
	for cell := range p.cells {
		if flips := p.flips(cell); len(flips) > 0 {
			next := []byte(p.cells)
			next[cell] = p.turn
			for _, f := range flips {
				next[f] = p.turn
			}
			cells = append(cells, cell)
			after = append(after, plain{p.size, string(next), opponent(p.turn)})
		}
	}
	return cells, after
}

func (p plain) pass() plain { return plain{p.size, p.cells, opponent(p.turn)} }

// margin returns by how many discs the side to move is ahead, where empty cells count for
// the side with more discs.
func (p plain) margin() int {
	own := strings.Count(p.cells, string(p.turn))
	other := strings.Count(p.cells, string(opponent(p.turn)))
	empty := strings.Count(p.cells, ".")
	switch {
	case own > other:
		return own - other + empty
	case own < other:
		return own - other - empty
	}
	return 0
}

// canMove reports whether a side has a move.
func (p plain) canMove(side byte) bool {
	p.turn = side
	cells, _ := p.moves()
	return len(cells) > 0
}
