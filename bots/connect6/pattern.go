package connect6

// values are the values of an open window by its number of own stones. Four and five are
// only for move ordering: positions with hot windows are not evaluated.
var values = [six + 1]int{0, 4, 16, 36, 80, 90, 90}

// pattern describes a line around an empty cell, from the view of one side.
type pattern struct {
	gain    int16 // increase in value by an own stone here
	loss    int16 // value of the windows that a stone of the other side would close
	best    uint8 // largest number of own stones in an open window through the cell
	made    uint8 // windows made hot by an own stone here
	closed  uint8 // hot windows closed by a stone of the other side here
	threats uint8 // stones needed to stop the windows made hot
}

// reach is the extent of a window from a cell to one side.
const reach = six - 1

// A half is one side of a line around a cell: up to five cells before the line is closed,
// with or without own stones. Halves are numbered from 0 to 62: those with n cells start at
// 1<<n - 1.

// patterns lists the patterns by the right and left half of the cell: 63 each. A line is
// the same from both ends.
var patterns = makePatterns()

// rightHalf maps five bits of own stones and, above them, five bits of closed cells to the
// number of a half; the lowest bits are nearest the cell. In leftHalf the highest are
// nearest.
var rightHalf, leftHalf = makeHalves()

func makeHalves() (right, left [1 << (2 * reach)]uint8) {
	for i := range right {
		own, blocked := i&31, i>>reach
		right[i] = halfOf(own, blocked)
		left[i] = halfOf(reversed(own), reversed(blocked))
	}
	return right, left
}

func halfOf(own, blocked int) uint8 {
	n := 0
	for n < reach && blocked>>n&1 == 0 {
		n++
	}
	return uint8(1<<n - 1 + own&(1<<n-1))
}

func reversed(bits int) (r int) {
	for i := range reach {
		r |= bits >> i & 1 << (reach - 1 - i)
	}
	return r
}

func makePatterns() (list [64 * 64]pattern) {
	for right := range 63 {
		for left := range 63 {
			list[right<<6|left] = makePattern(right, left)
		}
	}
	return list
}

// cells of a half, and their own stones.
func unpackHalf(half int) (n, own int) {
	for 1<<(n+1)-1 <= half {
		n++
	}
	return n, half - (1<<n - 1)
}

// makePattern computes a pattern from the windows through a cell: those that start up to
// five cells to its left and stay within the halves.
func makePattern(right, left int) (p pattern) {
	rightCells, rightOwn := unpackHalf(right)
	leftCells, leftOwn := unpackHalf(left)
	line := rightOwn<<six | reversed(leftOwn) // bit 5 is the cell
	var hot uint64
	for begin := reach - leftCells; begin <= reach && begin+reach <= reach+rightCells; begin++ {
		window := line >> begin & (1<<six - 1)
		own := 0
		for i := range six {
			own += window >> i & 1
		}
		p.gain += int16(values[min(own+1, six)] - values[own])
		p.loss += int16(values[own])
		p.best = max(p.best, uint8(own))
		switch {
		case own == 3:
			p.made++
			hot |= 1 << begin
		case own > 3:
			p.closed++
		}
	}
	p.threats = uint8(stonesToStop(hot, uint64(line|1<<reach)))
	return p
}
