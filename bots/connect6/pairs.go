package connect6

import (
	"math/bits"

	"quintet/game"
)

// Numbers of cells and pairs.
const (
	firstCells  = 12 // candidates for the first stone
	secondCells = 18 // candidates for the second stone
	maxPairs    = 80 // pairs of a position
)

// pairList holds the pairs of a position, best first.
type pairList struct {
	list   [maxPairs]pair
	values [maxPairs]int32
	n      int
}

// add inserts a pair into the best width pairs.
func (r *pairList) add(p pair, v int32, width int) {
	i := r.n
	if i >= width {
		if i = width - 1; r.values[i] >= v {
			return
		}
	} else {
		r.n++
	}
	for ; i > 0 && r.values[i-1] < v; i-- {
		r.values[i], r.list[i] = r.values[i-1], r.list[i-1]
	}
	r.values[i], r.list[i] = v, p
}

// has reports whether a pair is in the list.
func (r *pairList) has(p pair) bool {
	for _, q := range r.list[:r.n] {
		if q.same(p) {
			return true
		}
	}
	return false
}

// pairs generates the pairs of a position.
type pairs struct {
	b     *board
	lines [maxCells][4]int16 // gain of a stone on each line through the cell
	value [maxCells]int32    // and on all lines
	made  [maxCells]bool     // whether a stone alone makes a threat
	known [maxCells]bool     // whether lines, value and made are computed
	near  [maxCells]cell
	top   [secondCells]cell
}

// list fills the list with the best pairs of the side to move.
func (g *pairs) list(s game.Side, width int, r *pairList) {
	r.n = 0
	n := g.weigh(s)
	top := g.best(n, false)
	g.offer(s, top, false, width, r)
	if r.n == 0 && len(top) > 0 {
		r.add(pair{top[0], none}, g.value[top[0]], width) // the last empty cell
	}
	g.forget(n)
}

// offer adds pairs of the best cells, and of the first of them with cells on their lines; if
// threats, only pairs that make a threat.
func (g *pairs) offer(s game.Side, top []cell, threats bool, width int, r *pairList) {
	for i, x := range top[:min(firstCells, len(top))] {
		for _, y := range top[i+1:] {
			if (!threats || g.made[x] || g.made[y]) && !g.together(x, y) {
				r.add(pair{x, y}, g.value[x]+g.value[y], width)
			}
		}
		g.b.put(s, x)
		g.aligned(s, x, top[:i], threats, width, r)
		g.b.take(s, x)
	}
}

// forget releases the first n near cells.
func (g *pairs) forget(n int) {
	for _, c := range g.near[:n] {
		g.known[c] = false
	}
}

// together reports whether two cells share a window.
func (g *pairs) together(x, y cell) bool {
	size := cell(g.b.size)
	rows, cols := x/size-y/size, x%size-y%size
	return max(rows, -rows) <= reach && max(cols, -cols) <= reach &&
		(rows == 0 || cols == 0 || rows == cols || rows == -cols)
}

// aligned adds the pairs of a stone, already placed, with cells on its lines, except
// earlier first stones; if threats, only pairs that make a threat.
func (g *pairs) aligned(s game.Side, x cell, earlier []cell, threats bool, width int, r *pairList) {
	b := g.b
	for d, p := range &b.places[x] {
		for at := max(int(p.at)-reach, 0); at <= min(int(p.at)+reach, b.size-1); at++ {
			y := b.cellOf[p.line][at]
			if y == none || !g.known[y] || y == x || contains(earlier, y) {
				continue
			}
			own, other := b.both(s, place{p.line, uint8(at)})
			if threats && !g.made[x] && !g.made[y] && own.made == 0 {
				continue
			}
			v := g.value[y] - int32(g.lines[y][d]) + int32(own.gain+other.loss)
			r.add(pair{x, y}, g.value[x]+v, width)
		}
	}
}

func contains(list []cell, c cell) bool {
	for _, x := range list {
		if x == c {
			return true
		}
	}
	return false
}

// weigh computes the gain of a stone on each cell near others, and returns the number of
// cells.
func (g *pairs) weigh(s game.Side) (n int) {
	b := g.b
	var wide [26 + 4]uint64
	for row := range b.size {
		w := b.stones[0][row] | b.stones[1][row]
		wide[row+2] = w | w<<1 | w<<2 | w>>1 | w>>2
	}
	for row := range b.size {
		cells := (wide[row] | wide[row+1] | wide[row+2] | wide[row+3] | wide[row+4]) &^ (b.stones[s][row] | b.blocked[s][row])
		for ; cells != 0; cells &= cells - 1 {
			c := b.cellOf[row][bits.TrailingZeros64(cells)-reach]
			g.weighCell(s, c)
			g.near[n] = c
			n++
		}
	}
	if n < 2 {
		n = g.weighAll(s, n)
	}
	return n
}

func (g *pairs) weighCell(s game.Side, c cell) {
	v, made := int32(0), uint8(0)
	for d, p := range &g.b.places[c] {
		own, other := g.b.both(s, p)
		change := own.gain + other.loss
		g.lines[c][d] = change
		v += int32(change)
		made |= own.made
	}
	g.made[c] = made > 0
	g.value[c] = v
	g.known[c] = true
}

// weighAll does the same for the whole board if few cells are near stones.
func (g *pairs) weighAll(s game.Side, n int) int {
	for c := range cell(g.b.size * g.b.size) {
		if g.b.vacant(c) && !g.known[c] {
			g.weighCell(s, c)
			g.near[n] = c
			n++
		}
	}
	return n
}

// best returns the cells with the highest values, in order; if threats is set, only cells that
// make a threat. Ties go to the middle.
func (g *pairs) best(n int, threats bool) []cell {
	top := g.top[:0]
	for _, c := range g.near[:n] {
		if threats && !g.made[c] {
			continue
		}
		i := len(top)
		if i == secondCells {
			if i--; !g.before(c, top[i]) {
				continue
			}
		} else {
			top = top[:i+1]
		}
		for ; i > 0 && g.before(c, top[i-1]); i-- {
			top[i] = top[i-1]
		}
		top[i] = c
	}
	return top
}

func (g *pairs) before(x, y cell) bool {
	if g.value[x] != g.value[y] {
		return g.value[x] > g.value[y]
	}
	return g.b.edge(x) < g.b.edge(y)
}

// edge returns the distance of a cell from the middle, in half rows and columns.
func (b *board) edge(c cell) int {
	row, col := 2*(int(c)/b.size)+1-b.size, 2*(int(c)%b.size)+1-b.size
	return max(row, -row) + max(col, -col)
}

// change returns the gain of a stone on one line: the increase of its side's windows plus
// the decrease of the other's.
func (b *board) change(s game.Side, p place) int16 {
	own, other := b.both(s, p)
	return own.gain + other.loss
}

// value returns the gain of a stone on all lines.
func (b *board) value(s game.Side, c cell) (v int32) {
	for _, p := range &b.places[c] {
		v += int32(b.change(s, p))
	}
	return v
}
