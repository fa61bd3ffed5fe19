package othello

import "quintet/game"

// rows is a position of either type, row by row.
type rows interface {
	Size() int
	Turn() game.Side
	Row(s game.Side, row int) uint32
	Ground(row int) uint32
}

// layoutOf converts a position to a layout.
func layoutOf(p rows) layout {
	size := p.Size()
	l := layout{make([]byte, 0, size*size), size, p.Turn()}
	for row := range size {
		for bit := uint32(1); bit < 1<<size; bit <<= 1 {
			letter := byte(game.Blank)
			switch {
			case p.Ground(row)&bit == 0:
				letter = pit
			case p.Row(game.First, row)&bit != 0:
				letter = discs[game.First]
			case p.Row(game.Second, row)&bit != 0:
				letter = discs[game.Second]
			}
			l.cells = append(l.cells, letter)
		}
	}
	return l
}

// Row returns a side's discs in a row, counted from 0; bit 0 is column a.
func (p *Small) Row(s game.Side, row int) uint32 { return byteOf(p.Discs(s), row) }

// Ground returns the cells of a row without pits.
func (p *Small) Ground(row int) uint32 { return byteOf(p.ground, row) }

func byteOf(set uint64, row int) uint32 { return uint32(set >> (8 * row & 63) & 0xff) }

// Row returns a side's discs in a row, counted from 0; bit 0 is column a.
func (p *Large) Row(s game.Side, row int) uint32 { return p.discs(s)[row] }

// Ground returns the cells of a row without pits.
func (p *Large) Ground(row int) uint32 { return p.ground[row] }

// place writes the piece of each cell of a position into cells.
func place(p rows, cells []game.Piece) {
	size := p.Size()
	for row := range size {
		ground, black, white := p.Ground(row), p.Row(game.First, row), p.Row(game.Second, row)
		line := cells[row*size : (row+1)*size]
		for col := range line {
			switch bit := uint32(1) << (col & 31); {
			case black&bit != 0:
				line[col] = game.Piece{Kind: game.Stone}
			case white&bit != 0:
				line[col] = game.Piece{Kind: game.Stone, Side: game.Second}
			case ground&bit == 0:
				line[col] = game.Piece{Kind: game.Pit}
			default:
				line[col] = game.Piece{}
			}
		}
	}
}
