package connect6

import (
	"math/bits"

	"quintet/game"
	rules "quintet/games/connect6"
)

// place is the place of a cell on a line: the line, and the bit minus reach.
type place struct{ line, at uint8 }

// board is a position on which stones can be placed and removed in any order. Lines are
// words: bit reach+i is cell i, and bits off the board are closed to both sides.
type board struct {
	size   int
	places [maxCells][4]place
	cellOf [maxLines][rules.MaxSize]cell // by line and bit minus reach
	lines  int

	stones  [2][maxLines]uint64
	blocked [2][maxLines]uint64 // closed to the side: the other's stones, and cells off the board
	worth   [2]int32            // value of the side's open windows
	hot     [2]int32            // number of hot windows of the side
	hotIn   [2][maxLines]uint8  // the same by line
	busy    [2]lineSet          // lines with two or more stones of the side
	key     uint64
	empty   int
	saved   [maxCells]saved // by the number of stones before each put
}

// lineSet is a set of lines.
type lineSet [(maxLines + 63) / 64]uint64

// saved is what take restores: the sums of a board before a put, the busy lines of the side,
// and the hot windows in the four lines of the cell.
type saved struct {
	worth, hot [2]int32
	busy       lineSet
	hotIn      [4][2]uint8
}

// reset sets up a position.
func (b *board) reset(p *rules.Position) {
	if b.size != p.Size() {
		b.size = p.Size()
		b.numberLines()
	}
	b.stones = [2][maxLines]uint64{}
	b.hotIn = [2][maxLines]uint8{}
	b.busy = [2]lineSet{}
	b.worth, b.hot, b.key, b.empty = [2]int32{}, [2]int32{}, 0, b.size*b.size
	for i := range b.lines {
		outside := ^uint64(0)
		for at, c := range b.cellOf[i] {
			if c != none {
				outside &^= 1 << (at + reach)
			}
		}
		b.blocked[0][i], b.blocked[1][i] = outside, outside
	}
	for s := range game.Side(2) {
		for row := range b.size {
			for w := p.Row(s, row); w != 0; w &= w - 1 {
				b.put(s, cell(row*b.size+bits.TrailingZeros32(w)))
			}
		}
	}
}

// numberLines numbers the lines: rows, columns, falling and rising diagonals. A cell's
// bit is its column, and in columns its row.
func (b *board) numberLines() {
	n := b.size
	b.lines = 2*n + 2*(2*n-1)
	for i := range b.cellOf {
		for at := range b.cellOf[i] {
			b.cellOf[i][at] = none
		}
	}
	for row := range n {
		for col := range n {
			c := cell(row*n + col)
			b.places[c] = [4]place{
				{uint8(row), uint8(col)}, {uint8(n + col), uint8(row)},
				{uint8(2*n + row - col + n - 1), uint8(col)}, {uint8(4*n - 1 + row + col), uint8(col)},
			}
			for _, at := range b.places[c] {
				b.cellOf[at.line][at.at] = c
			}
		}
	}
}

// at returns the pattern of a line around a cell, for a side.
func (b *board) at(s game.Side, p place) *pattern {
	return patternAt(b.stones[s&1][p.line], b.blocked[s&1][p.line], int(p.at))
}

// patternAt returns the pattern around a cell of a line.
func patternAt(own, blocked uint64, at int) *pattern {
	own, blocked = own>>(at&63), blocked>>(at&63)
	left := leftHalf[own&31|blocked&31<<reach]
	right := rightHalf[own>>six&31|blocked>>six&31<<reach]
	return &patterns[int(right)<<6&0xfff|int(left&63)]
}

// both returns the patterns of a line around a cell, for a side and for its opponent.
func (b *board) both(s game.Side, p place) (own, other *pattern) {
	at := p.at & 63
	mine, mineShut := b.stones[s&1][p.line]>>at, b.blocked[s&1][p.line]>>at
	theirs, theirsShut := b.stones[s&1^1][p.line]>>at, b.blocked[s&1^1][p.line]>>at
	i := uint(rightHalf[mine>>six&31|mineShut>>six&31<<reach])<<6 | uint(leftHalf[mine&31|mineShut&31<<reach])
	j := uint(rightHalf[theirs>>six&31|theirsShut>>six&31<<reach])<<6 | uint(leftHalf[theirs&31|theirsShut&31<<reach])
	return &patterns[i&0xfff], &patterns[j&0xfff]
}

// put places a stone on an empty cell.
func (b *board) put(s game.Side, c cell) {
	s &= 1
	u := &b.saved[b.size*b.size-b.empty]
	u.worth, u.hot, u.busy = b.worth, b.hot, b.busy[s]
	for d, p := range &b.places[c] {
		u.hotIn[d] = [2]uint8{b.hotIn[0][p.line], b.hotIn[1][p.line]}
		own, other := b.both(s, p)
		b.worth[s] += int32(own.gain)
		b.worth[s^1] -= int32(other.loss)
		if own.made > 0 {
			b.hot[s] += int32(own.made)
			b.hotIn[s][p.line] += own.made
		}
		if other.closed > 0 {
			b.hot[s^1] -= int32(other.closed)
			b.hotIn[s^1][p.line] -= other.closed
		}
		if b.stones[s][p.line] != 0 {
			b.busy[s][p.line>>6] |= 1 << (p.line & 63)
		}
		b.stones[s][p.line] |= 1 << (p.at + reach)
		b.blocked[s^1][p.line] |= 1 << (p.at + reach)
	}
	b.key ^= keyOf(s, c)
	b.empty--
}

// take removes the last stone placed by put.
func (b *board) take(s game.Side, c cell) {
	s &= 1
	b.key ^= keyOf(s, c)
	b.empty++
	u := &b.saved[b.size*b.size-b.empty]
	b.worth, b.hot, b.busy[s] = u.worth, u.hot, u.busy
	for d, p := range &b.places[c] {
		b.stones[s][p.line] &^= 1 << (p.at + reach)
		b.blocked[s^1][p.line] &^= 1 << (p.at + reach)
		b.hotIn[0][p.line], b.hotIn[1][p.line] = u.hotIn[d][0], u.hotIn[d][1]
	}
}

// play places the stones of a turn; undo removes them.
func (b *board) play(s game.Side, p pair) {
	b.put(s, p.first)
	if p.second != none {
		b.put(s, p.second)
	}
}

func (b *board) undo(s game.Side, p pair) {
	if p.second != none {
		b.take(s, p.second)
	}
	b.take(s, p.first)
}

// fill places stones of a side, and reports whether they make six; clear removes them.
func (b *board) fill(s game.Side, cells []cell) (wins bool) {
	for _, c := range cells {
		wins = wins || b.completes(s, c)
		b.put(s, c)
	}
	return wins
}

func (b *board) clear(s game.Side, cells []cell) {
	for i := len(cells) - 1; i >= 0; i-- {
		b.take(s, cells[i])
	}
}

// vacant reports whether a cell is empty.
func (b *board) vacant(c cell) bool {
	p := b.places[c][0]
	return (b.stones[0][p.line]|b.stones[1][p.line])>>(p.at+reach)&1 == 0
}

// keyOf returns the Zobrist key of a stone on a cell (the finalizer of splitmix64).
func keyOf(s game.Side, c cell) uint64 {
	z := (uint64(c)<<1 | uint64(s)) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// gain returns how much a stone increases the value of a side's windows.
func (b *board) gain(s game.Side, c cell) (v int32) {
	for _, p := range &b.places[c] {
		v += int32(b.at(s, p).gain)
	}
	return v
}

// completes reports whether a stone of a side makes six.
func (b *board) completes(s game.Side, c cell) bool {
	for _, p := range &b.places[c] {
		if b.at(s, p).best == six-1 {
			return true
		}
	}
	return false
}
