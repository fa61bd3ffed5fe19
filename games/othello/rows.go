package othello

import "quintet/game"

// Row returns a side's discs in a row, counted from 0; bit 0 is column a.
func (p *Small) Row(s game.Side, row int) uint32 { return byteOf(p.Discs(s), row) }

// Ground returns the cells of a row without pits.
func (p *Small) Ground(row int) uint32 { return byteOf(p.ground, row) }

func byteOf(set uint64, row int) uint32 { return uint32(set >> (8 * row & 63) & 0xff) }

// Row returns a side's discs in a row, counted from 0; bit 0 is column a.
func (p *Large) Row(s game.Side, row int) uint32 { return p.discs(s)[row] }

// Ground returns the cells of a row without pits.
func (p *Large) Ground(row int) uint32 { return p.ground[row] }
