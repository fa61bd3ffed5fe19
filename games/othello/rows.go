package othello

import (
	"math/bits"

	"quintet/game"
)

// Row returns a side's discs in a row, counted from 0; bit 0 is column a.
func (p *Small) Row(s game.Side, row int) uint32 { return byteOf(p.Discs(s), row) }

// Ground returns the cells of a row without pits.
func (p *Small) Ground(row int) uint32 { return byteOf(p.ground, row) }

func byteOf(set uint64, row int) uint32 { return uint32(set >> (8 * row & 63) & 0xff) }

// Mobility returns the number of moves of the side to move, and of its opponent if it
// were to move; a pass does not count.
func (p *Small) Mobility() (own, other int) {
	return bits.OnesCount64(p.moves), bits.OnesCount64(replies(p.other, p.own, p.ground))
}

// Row returns a side's discs in a row, counted from 0; bit 0 is column a.
func (p *Large) Row(s game.Side, row int) uint32 { return p.discs(s)[row] }

// Ground returns the cells of a row without pits.
func (p *Large) Ground(row int) uint32 { return p.ground[row] }

// Mobility returns the number of moves of the side to move, and of its opponent if it
// were to move; a pass does not count.
func (p *Large) Mobility() (own, other int) {
	var theirs grid
	theirs.reach(&p.other, &p.own, &p.ground, int(p.size))
	return p.moves.count(int(p.size)), theirs.count(int(p.size))
}
