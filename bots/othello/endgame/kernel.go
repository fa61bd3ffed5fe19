package endgame

import "math/bits"

// kernel is what the last plies need to know of a board's cells. The assembly depends on its
// layout.
type kernel struct {
	cells  [64]cell
	filled int64 // cells of the board but one
	counts [countsSize]uint16
	ground uint64
}

// cell is a square: the four lines through it are its row, column and diagonals.
type cell struct {
	after, before [4]uint64 // the squares of the lines after and before it
	bit           uint64
	quadrant      uint64
	near          uint64 // the squares next to it
	_             uint64
	segment       [4]uint64 // the squares of the lines up to borders and pits, with its own
	counts        [4]uint64 // where in the kernel's counts those of its place in the segment begin
}

// countsSize is the number of pictures of an empty square in a segment of up to eight squares:
// n places times 2^n sets of discs.
const countsSize = 1*2 + 2*4 + 3*8 + 4*16 + 5*32 + 6*64 + 7*128 + 8*256

// countsAt returns where the counts of a place in a segment of n squares begin.
func countsAt(n, place int) (at int) {
	for shorter := 1; shorter < n; shorter++ {
		at += shorter << shorter
	}
	return at + place<<n
}

// newKernel returns the kernel of the boards of a ground.
func newKernel(ground uint64) *kernel {
	k := &kernel{filled: int64(bits.OnesCount64(ground)) - 1, ground: ground}
	for n := 1; n <= 8; n++ {
		for place := range n {
			for own := range 1 << n {
				k.counts[countsAt(n, place)+own] = flipCounts(n, place, own)
			}
		}
	}
	for square := range k.cells {
		k.cells[square] = newCell(square, ground)
	}
	return k
}

// flipCounts returns how many discs a disc on a place of a segment of n squares flips, if own
// are the discs of the side that plays it and all other squares have discs of the other; and
// in the higher byte how many it flips for the other side.
func flipCounts(n, place, own int) uint16 {
	count := func(side int) (flips int) {
		for _, step := range [2]int{-1, 1} {
			run, at := 0, place+step
			for ; at >= 0 && at < n && side>>at&1 == 0; at += step {
				run++
			}
			if at >= 0 && at < n {
				flips += run
			}
		}
		return flips
	}
	return uint16(count(own) | count(^own)<<8)
}

func newCell(square int, ground uint64) (c cell) {
	c.bit, c.quadrant, c.near = 1<<square, quadrantOf(square), around[square]
	for i := range axes {
		c.after[i] = axes[i].ray(square, true, ^uint64(0))
		c.before[i] = axes[i].ray(square, false, ^uint64(0))
		before := axes[i].ray(square, false, ground)
		c.segment[i] = axes[i].ray(square, true, ground) | before | c.bit
		c.counts[i] = uint64(countsAt(bits.OnesCount64(c.segment[i]), bits.OnesCount64(before)))
	}
	return c
}

// ray returns the squares on the axis from a square upward or downward, as far as they are in
// a ground.
func (a *axis) ray(square int, up bool, ground uint64) (squares uint64) {
	for at := uint64(1) << square; ; squares |= at {
		if up {
			at = at << a.step & a.up & ground
		} else {
			at = at >> a.step & a.down & ground
		}
		if at == 0 {
			return squares
		}
	}
}
