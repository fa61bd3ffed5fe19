package othello

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
)

// Large is a position on a board of any even size up to 26 rows.
type Large struct {
	own, other grid // discs of the side to move, and of its opponent
	ground     grid // cells of the board without pits
	moves      grid // legal moves of the side to move
	size       uint8
	turn       game.Side
	phase      phase
}

// Large implements the optional interfaces that are faster than the defaults.
var (
	_ game.Position   = (*Large)(nil)
	_ game.Counter    = (*Large)(nil)
	_ game.Sampler    = (*Large)(nil)
	_ game.Explainer  = (*Large)(nil)
	_ game.Configured = (*Large)(nil)
)

func newLarge(l layout) *Large {
	p := &Large{size: uint8(l.size), turn: l.turn}
	for cell, letter := range l.cells {
		row, bit := p.spot(game.Cell(cell))
		if letter != pit {
			p.ground[row] |= bit
		}
		switch letter {
		case discs[l.turn]:
			p.own[row] |= bit
		case discs[l.turn.Other()]:
			p.other[row] |= bit
		}
	}
	p.settle()
	return p
}

// spot returns the row and the bit of a cell.
func (p *Large) spot(c game.Cell) (row int, bit uint32) {
	size := game.Cell(p.size)
	return int(c / size), 1 << (c % size)
}

// settle computes the legal moves and the phase.
func (p *Large) settle() {
	size := int(p.size)
	p.phase = playing
	if p.moves.reach(&p.own, &p.other, &p.ground, size) {
		return
	}
	p.phase = over
	var theirs grid
	if theirs.reach(&p.other, &p.own, &p.ground, size) {
		p.phase = passing
	}
}

// Size returns the number of rows and of columns.
func (p *Large) Size() int { return int(p.size) }

// Turn returns the side to move.
func (p *Large) Turn() game.Side { return p.turn }

// discs returns the discs of a side.
func (p *Large) discs(s game.Side) *grid {
	if s == p.turn {
		return &p.own
	}
	return &p.other
}

// Moves appends the legal moves, row by row from the top left.
func (p *Large) Moves(buf []game.Move) []game.Move {
	if p.phase == passing {
		return append(buf, game.Pass)
	}
	size := int(p.size)
	for row, moves := range p.moves[:size] {
		for ; moves != 0; moves &= moves - 1 {
			buf = append(buf, game.Put(game.Cell(row*size+bits.TrailingZeros32(moves))))
		}
	}
	return buf
}

// Count returns the number of legal moves.
func (p *Large) Count() int {
	if p.phase == passing {
		return 1
	}
	return p.moves.count(int(p.size))
}

// Sample returns a uniformly random legal move; the zero Move if the game is over.
func (p *Large) Sample(r *rand.PCG) game.Move {
	size := int(p.size)
	total := p.moves.count(size)
	if total == 0 {
		return p.phase.forcedMove()
	}
	row, n := 0, game.IntN(r, total)
	for in := bits.OnesCount32(p.moves[0]); n >= in; in = bits.OnesCount32(p.moves[row]) {
		n -= in
		row++
	}
	return game.Put(game.Cell(row*size + game.NthBit(uint64(p.moves[row]), n)))
}

// Play puts a disc and flips the enclosed ones, or passes.
func (p *Large) Play(m game.Move) {
	if m != game.Pass {
		row, bit := p.spot(m.To())
		p.own.put(&p.other, row, bit, int(p.size))
	}
	p.own, p.other = p.other, p.own
	p.turn ^= 1
	p.settle()
}

// Result returns the result: when neither side can move, the side with more discs
// wins.
func (p *Large) Result() game.Result {
	if p.phase != over {
		return game.Ongoing
	}
	size := int(p.size)
	return game.ByCount(p.discs(game.First).count(size), p.discs(game.Second).count(size))
}

// Key returns a hash of the board and the side to move.
func (p *Large) Key() uint64 {
	key := uint64(p.size)<<1 | uint64(p.turn)
	for row := range int(p.size) {
		key = game.Mix(key, uint64(p.own[row])<<32|uint64(p.other[row]))
		key = game.Mix(key, uint64(p.ground[row]))
	}
	return key
}

// CopyFrom makes the position equal to another Large.
func (p *Large) CopyFrom(from game.Position) { *p = *from.(*Large) }

// Clone returns a copy of the position.
func (p *Large) Clone() game.Position {
	q := *p
	return &q
}

// SetupOf returns the size of the board and its pits as options of the game.
func (p *Large) SetupOf() game.Setup { return layoutOf(p).setup() }

// Format returns the notation of a move: "d3", or "pass".
func (p *Large) Format(m game.Move) string { return coords(int(p.size)).Format(m) }

// Parse parses the notation of a legal move.
func (p *Large) Parse(s string) (game.Move, error) {
	return coords(int(p.size)).Parse(p, s, nil)
}

// Place implements game.Placer.
func (p *Large) Place(cells []game.Piece) { place(p, cells) }

// Board describes how the position looks.
func (p *Large) Board() game.Board { return layoutOf(p).board() }

// String returns the position in one line: rows from the top, as X, O, # and numbers
// of empty cells, and the side to move.
func (p *Large) String() string { return layoutOf(p).String() }
