package connect6

import (
	"math/bits"

	rules "quintet/games/connect6"
)

// linePair is two empty cells of a line with the threats that stones on them make on that
// line: x and y, by bit minus reach, in 5 bits each; the threats of both together, of x alone
// and of y alone in 2 bits each.
type linePair uint16

func makeLinePair(x, y, together, aloneX, aloneY int) linePair {
	return linePair(x<<11 | y<<6 | together<<4 | aloneX<<2 | aloneY)
}

func (p linePair) x() int        { return int(p >> 11) }
func (p linePair) y() int        { return int(p >> 6 & 31) }
func (p linePair) together() int { return int(p >> 4 & 3) }
func (p linePair) aloneX() int   { return int(p >> 2 & 3) }
func (p linePair) aloneY() int   { return int(p & 3) }

// maxLinePairs is the number of pairs of cells of a line that share a window.
const maxLinePairs = reach*rules.MaxSize - reach*(reach+1)/2

// lineEntry holds the pairs of a line in windows with two or more own stones.
type lineEntry struct {
	own, blocked uint64
	n            int
	pairs        [maxLinePairs]linePair
}

// fill computes the pairs of a line.
func (e *lineEntry) fill(own, blocked uint64) {
	e.own, e.blocked, e.n = own, blocked, 0
	_, twos, _ := windowsWith(own, blocked)
	cells := spread(twos) &^ own
	for rest := cells; rest != 0; rest &= rest - 1 {
		x := bits.TrailingZeros64(rest)
		for more := rest & (rest - 1) & (63 << x); more != 0; more &= more - 1 {
			y := bits.TrailingZeros64(more)
			e.pairs[e.n] = makeLinePair(x-reach, y-reach, lineThreats(own|1<<x|1<<y, blocked),
				int(patternAt(own, blocked, x-reach).threats), int(patternAt(own, blocked, y-reach).threats))
			e.n++
		}
	}
}

// lineCacheBits is the binary logarithm of the number of entries of a lineCache.
const lineCacheBits = 10

// lineCache keeps the pairs of lines. Few lines change from a position to the next.
type lineCache [1 << lineCacheBits]lineEntry

// entry returns the pairs of a line.
func (c *lineCache) entry(own, blocked uint64) *lineEntry {
	e := &c[(own*0x9e3779b97f4a7c15^blocked*0xbf58476d1ce4e5b9)>>(64-lineCacheBits)]
	if e.own != own || e.blocked != blocked {
		e.fill(own, blocked)
	}
	return e
}
