package large

import (
	"math/bits"

	"quintet/bots/othello/linear"
	"quintet/game"
)

// Position is implemented by the positions of Othello on boards of all sizes.
type Position interface {
	game.Position
	Size() int
	Row(s game.Side, row int) uint32
	Ground(row int) uint32
}

// most is half of the largest number of rows.
const most = 13

// set is a set of cells of a board: word i has row i in its lower half and row size-1-i in its
// upper half, so that one word moves down and up the board at once. Bit 0 of a half is
// column a.
type set [most]uint64

// turned exchanges the halves of a word.
func turned(x uint64) uint64 { return bits.RotateLeft64(x, 32) }

// geometry is what is the same for all boards of a game: the size and the pits.
type geometry struct {
	size, half int
	ground     set // cells that are not pits
	cells      int
	masks      []linear.Masks         // of each word
	disc       [most][64]linear.Discs // of a disc on a cell
}

// place returns the word and the bit of a cell.
func (g *geometry) place(row, col int) (word, bit int) {
	if row < g.half {
		return row, col
	}
	return g.size - 1 - row, 32 + col
}

// board is a position: the discs and the legal moves of both sides.
type board struct {
	own, other     set // discs of the side to move, and of its opponent
	moves, replies set // their legal moves; a pass does not count
	count, answers int // their numbers
	empty          int // number of empty cells
	discs          linear.Discs
}

// geometryOf returns the geometry of a position.
func geometryOf(p Position) geometry {
	g := geometry{size: p.Size(), half: p.Size() / 2}
	for r := range g.size {
		word, bit := g.place(r, 0)
		g.ground[word] |= uint64(p.Ground(r)) << bit
		g.cells += bits.OnesCount32(p.Ground(r))
	}
	g.masks = g.shape().Masks(g.half, g.place)
	for word := range g.half {
		for bit := range 64 {
			g.disc[word][bit] = g.masks[word].Disc(bit)
		}
	}
	return g
}

// shape returns the cells of a board that are not pits.
func (g *geometry) shape() *linear.Shape {
	s := &linear.Shape{Size: g.size}
	for r := range g.size {
		word, bit := g.place(r, 0)
		s.Rows[r] = uint32(g.ground[word] >> bit)
	}
	return s
}

// boardOf returns a position as a board.
func (g *geometry) boardOf(p Position) (b board) {
	for r := range g.size {
		word, bit := g.place(r, 0)
		b.own[word] |= uint64(p.Row(p.Turn(), r)) << bit
		b.other[word] |= uint64(p.Row(p.Turn().Other(), r)) << bit
	}
	b.empty = g.cells - b.own.len(g.half) - b.other.len(g.half)
	for word := range g.half {
		for x := b.own[word]; x != 0; x &= x - 1 {
			b.discs += g.disc[word][bits.TrailingZeros64(x)]
		}
		for x := b.other[word]; x != 0; x &= x - 1 {
			b.discs -= g.disc[word][bits.TrailingZeros64(x)]
		}
	}
	g.settle(&b)
	return b
}

// len returns the number of cells in the first words.
func (s *set) len(half int) (n int) {
	for _, x := range s[:half] {
		n += bits.OnesCount64(x)
	}
	return n
}

// margin returns the lead of the side to move in discs at the end of the game. Cells that are
// left empty go to the winner.
func (g *geometry) margin(b *board) int {
	margin := b.own.len(g.half) - b.other.len(g.half)
	switch {
	case margin > 0:
		return margin + b.empty
	case margin < 0:
		return margin - b.empty
	}
	return 0
}

// settle computes the legal moves of both sides. It sweeps the board once: the lower halves of
// the words go down, the upper halves up.
func (g *geometry) settle(b *board) {
	half := min(uint(g.half), most)
	var r, s runs // of own discs, and of the opponent's
	for i := range half {
		own, other := b.own[i], b.other[i]
		b.moves[i] = r.ahead() | along(own, other)
		b.replies[i] = s.ahead() | along(other, own)
		r.next(own, other)
		s.next(other, own)
	}
	b.count, b.answers = 0, 0
	for i := half - 1; i < half; i-- {
		own, other := b.own[i], b.other[i]
		free := g.ground[i] &^ (own | other)
		moves, replies := b.moves[i]|turned(r.ahead()), b.replies[i]|turned(s.ahead())
		own, other = turned(own), turned(other)
		r.next(own, other)
		s.next(other, own)
		b.moves[i], b.replies[i] = moves&free, replies&free
		b.count += bits.OnesCount64(moves & free)
		b.answers += bits.OnesCount64(replies & free)
	}
}

// runs are the opponent's discs of a row that runs from an own disc in rows before reach:
// straight and diagonally. own is the own discs of the row.
type runs struct{ straight, left, right, own uint64 }

// ahead returns the cells of the next row that the runs enter.
func (r *runs) ahead() uint64 { return r.straight | r.left>>1 | r.right<<1 }

// next moves the runs to the next row.
func (r *runs) next(own, other uint64) {
	r.straight = other & (r.straight | r.own)
	r.left = other & ((r.left | r.own) >> 1)
	r.right = other & ((r.right | r.own) << 1)
	r.own = own
}

// along returns the cells after runs of the opponent's discs in two rows that begin at an own
// disc; some may be occupied. Toward higher bits an addition carries through a run; toward
// lower bits doubling steps follow it.
func along(own, other uint64) uint64 {
	low := other & (own >> 1)
	high := (other + other&(own<<1)) &^ other
	if low == 0 {
		return high
	}
	low |= other & (low >> 1)
	pairs := other & (other >> 1)
	low |= pairs & (low >> 2)
	pairs &= pairs >> 2
	low |= pairs & (low >> 4)
	pairs &= pairs >> 4
	low |= pairs & (low >> 8)
	pairs &= pairs >> 8
	low |= pairs & (low >> 16)
	return high | low>>1
}

// direction is one of the eight directions.
type direction struct{ down, right int }

var directions = [8]direction{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}

// play sets out to the board after a legal move.
func (g *geometry) play(b *board, row, col int, out *board) {
	for i := range min(uint(g.half), most) { // only the words in use
		out.own[i], out.other[i] = b.other[i], b.own[i]
	}
	out.discs = -b.discs
	for i := range directions {
		g.flip(out, row, col, &directions[i])
	}
	word, bit := g.place(row, col)
	out.other[word] |= 1 << bit
	out.discs -= g.disc[word][bit&63]
	out.empty = b.empty - 1
	g.settle(out)
}

// flip turns over the discs of b.own that a disc of b.other on a cell encloses in a direction.
func (g *geometry) flip(b *board, row, col int, d *direction) {
	enclosed := 0
	for row, col = row+d.down, col+d.right; ; row, col = row+d.down, col+d.right {
		if uint(row) >= uint(g.size) || uint(col) >= uint(g.size) {
			return
		}
		word, bit := g.place(row, col)
		if b.own[word]>>bit&1 == 0 {
			if b.other[word]>>bit&1 == 0 {
				return
			}
			break
		}
		enclosed++
	}
	for range enclosed {
		row, col = row-d.down, col-d.right
		word, bit := g.place(row, col)
		b.own[word] ^= 1 << bit
		b.other[word] ^= 1 << bit
		b.discs -= 2 * g.disc[word][bit&63]
	}
}

// pass sets out to the board after a pass.
func (g *geometry) pass(b, out *board) {
	*out = board{own: b.other, other: b.own, moves: b.replies, replies: b.moves, count: b.answers, answers: b.count, empty: b.empty, discs: -b.discs}
}
