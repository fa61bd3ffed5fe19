package othello

import (
	"math/bits"

	"quintet/game"
)

// Row returns the cells of a row, counted from 0, on which a side has discs:
// bit 0 is column a.
func (p *Small) Row(s game.Side, row int) uint32 { return byteOf(p.Discs(s), row) }

// Ground returns the cells of a row that are no pits.
func (p *Small) Ground(row int) uint32 { return byteOf(p.ground, row) }

func byteOf(set uint64, row int) uint32 { return uint32(set >> (8 * row & 63) & 0xff) }

// Mobility returns how many moves the side to move and its opponent would have,
// were it their turn; a pass is none.
func (p *Small) Mobility() (own, other int) {
	return bits.OnesCount64(p.moves), bits.OnesCount64(replies(p.other, p.own, p.ground))
}

// Row returns the cells of a row, counted from 0, on which a side has discs:
// bit 0 is column a.
func (p *Large) Row(s game.Side, row int) uint32 { return p.discs(s)[row] }

// Ground returns the cells of a row that are no pits.
func (p *Large) Ground(row int) uint32 { return p.ground[row] }

// Mobility returns how many moves the side to move and its opponent would have,
// were it their turn; a pass is none.
func (p *Large) Mobility() (own, other int) {
	var theirs grid
	theirs.reach(&p.other, &p.own, &p.ground, int(p.size))
	return p.moves.count(int(p.size)), theirs.count(int(p.size))
}
