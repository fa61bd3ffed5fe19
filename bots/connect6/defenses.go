package connect6

import (
	"math/bits"

	"quintet/game"
)

// gap is the one or two empty cells of a hot window.
type gap struct{ a, b cell } // b == a if there is only one

func (g gap) has(c cell) bool { return g.a == c || g.b == c }

// turn returns the stones that fill the gap.
func (g gap) turn() pair {
	if g.a == g.b {
		return pair{g.a, none}
	}
	return pair{g.a, g.b}
}

// mostGaps limits the number of hot windows. More cannot all be stopped, because two stones
// close at most 2*4*6 windows.
const mostGaps = 64

// answers lists the ways in which a side can stop all hot windows of the other.
type answers struct {
	stones int     // the fewest stones needed: 0 to 2, or 3 if two are not enough
	single [2]cell // cells where one stone suffices
	n      int     // number of single
	pairs  [4]pair // two cells that suffice only together
	m      int     // number of pairs
	gaps   [mostGaps]gap
	open   int // number of gaps
}

// windowsWith returns the number of own stones in each window without closed cells, as
// bit-sliced sums at the bit of its first cell.
func windowsWith(own, blocked uint64) (ones, twos, fours uint64) {
	var closed uint64
	for i := range six {
		mine := own >> i
		closed |= blocked >> i
		carry := ones & mine
		ones ^= mine
		fours |= twos & carry
		twos ^= carry
	}
	return ones &^ closed, twos &^ closed, fours &^ closed
}

// gapsOf lists the gaps of the hot windows of a side.
func (b *board) gapsOf(s game.Side, buf *[mostGaps]gap) []gap {
	n := 0
	if b.hot[s&1] == 0 {
		return nil
	}
	for i, busy := range b.busy[s&1] {
		for ; busy != 0; busy &= busy - 1 {
			line := i<<6 + bits.TrailingZeros64(busy)
			if b.hotIn[s&1][line] > 0 {
				n = b.gapsOn(s, line, buf, n)
			}
		}
	}
	return buf[:n]
}

// gapsOn lists the gaps on a line, after n of others.
func (b *board) gapsOn(s game.Side, line int, buf *[mostGaps]gap, n int) int {
	own := b.stones[s&1][line]
	_, _, hot := windowsWith(own, b.blocked[s&1][line])
	for ; hot != 0 && n < mostGaps; hot &= hot - 1 {
		first := bits.TrailingZeros64(hot)
		missing := uint64(1<<six-1) << first &^ own
		if missing == 0 {
			continue // six: the game is over
		}
		one := bits.TrailingZeros64(missing)
		two := 63 - bits.LeadingZeros64(missing)
		buf[n] = gap{b.cellOf[line][one-reach], b.cellOf[line][two-reach]}
		n++
	}
	return n
}

// answer finds every way in which the other side can stop the hot windows of a side with
// one stone, and with two stones of which neither suffices alone.
func (b *board) answer(s game.Side, a *answers) {
	a.stones, a.n, a.m = 0, 0, 0
	gaps := b.gapsOf(s, &a.gaps)
	a.open = len(gaps)
	if len(gaps) == 0 {
		return
	}
	a.stones = 3
	for i, c := range [2]cell{gaps[0].a, gaps[0].b} {
		if i == 1 && c == gaps[0].a {
			break
		}
		rest := uncovered(gaps, c, c)
		if rest < 0 {
			a.single[a.n] = c
			a.n++
			continue
		}
		a.add(gaps, c, gaps[rest].a)
		if gaps[rest].b != gaps[rest].a {
			a.add(gaps, c, gaps[rest].b)
		}
	}
	switch {
	case a.n > 0:
		a.stones = 1
	case a.m > 0:
		a.stones = 2
	}
}

// add adds two cells if they stop all gaps and are not listed yet.
func (a *answers) add(gaps []gap, c, d cell) {
	if uncovered(gaps, c, d) >= 0 || uncovered(gaps, d, d) < 0 {
		return
	}
	p := pair{c, d}
	for _, q := range a.pairs[:a.m] {
		if p.same(q) {
			return
		}
	}
	a.pairs[a.m] = p
	a.m++
}

// uncovered returns the index of a gap without either cell, or -1.
func uncovered(gaps []gap, c, d cell) int {
	for i, g := range gaps {
		if !g.has(c) && !g.has(d) {
			return i
		}
	}
	return -1
}
