package connect6

// values are what an open window is worth by the number of own stones in it.
// Four and five only order moves: positions with hot windows are not evaluated.
var values = [six + 1]int{0, 4, 16, 36, 80, 90, 90}

// pattern is what a line has around an empty cell, from the view of one side.
type pattern struct {
	gain    int16 // how much more its windows are worth with an own stone here
	loss    int16 // what the windows are worth that a stone of the other side closes
	best    uint8 // the most own stones in an open window through the cell
	made    uint8 // windows that an own stone here makes hot
	closed  uint8 // hot windows that a stone of the other side here closes
	threats uint8 // stones that the other side needs against what was made hot
}

// reach is how far a window goes from a cell to one side.
const reach = six - 1

// A half is what lies to one side of a cell: up to five cells until something
// closes the line, and which of them hold own stones. The halves are numbered
// 0 to 62: those with n cells begin at 1<<n - 1.

// patterns lists the patterns by the halves to the right and left of the cell:
// 63 of each. A line is the same from both ends.
var patterns = makePatterns()

// rightHalf numbers the halves by five bits of own stones and, above them, five
// bits of closed cells, the lowest nearest to the cell. leftHalf has the highest
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

// makePattern looks at the windows through a cell: those that begin up to five
// cells to the left of it and stay within the halves.
func makePattern(right, left int) (p pattern) {
	rightCells, rightOwn := unpackHalf(right)
	leftCells, leftOwn := unpackHalf(left)
	line := rightOwn<<six | reversed(leftOwn) // bit 5 is the cell
	var hot []int
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
			hot = append(hot, (1<<six-1)<<begin&^(line|1<<reach))
		case own > 3:
			p.closed++
		}
	}
	p.threats = uint8(needed(hot))
	return p
}

// needed returns how many stones it takes to put one in each of the sets.
func needed(sets []int) int {
	if len(sets) == 0 {
		return 0
	}
	best := len(sets)
	for rest := sets[0]; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		var left []int
		for _, s := range sets {
			if s&bit == 0 {
				left = append(left, s)
			}
		}
		best = min(best, 1+needed(left))
	}
	return best
}
