package othello

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
)

// Small is a position on a board of up to 8 rows.
//
// Bit row*8+col of a bitboard is a cell, on smaller boards too: cells outside them
// are not in ground. The position stores the legal moves, because the function that
// plays a move computes the replies anyway.
type Small struct {
	own, other uint64 // discs of the side to move, and of its opponent
	ground     uint64 // cells of the board without pits
	moves      uint64 // legal moves of the side to move
	size       uint8
	turn       game.Side
	phase      phase
}

// Small implements all optional interfaces except Stopper.
var (
	_ game.Position   = (*Small)(nil)
	_ game.Counter    = (*Small)(nil)
	_ game.Sampler    = (*Small)(nil)
	_ game.Perfter    = (*Small)(nil)
	_ game.Explainer  = (*Small)(nil)
	_ game.Configured = (*Small)(nil)
)

func newSmall(l layout) *Small {
	p := &Small{size: uint8(l.size), turn: l.turn}
	for cell, letter := range l.cells {
		bit := uint64(1) << p.square(game.Cell(cell))
		if letter != pit {
			p.ground |= bit
		}
		switch letter {
		case discs[l.turn]:
			p.own |= bit
		case discs[l.turn.Other()]:
			p.other |= bit
		}
	}
	p.settle(replies(p.own, p.other, p.ground))
	return p
}

// square returns the bit index of a cell.
func (p *Small) square(c game.Cell) int {
	if p.size == 8 {
		return int(c & 63)
	}
	size := game.Cell(p.size)
	return int((c/size*8 + c%size) & 63)
}

// cell returns the cell of a bit index.
func (p *Small) cell(square int) game.Cell {
	return game.Cell(square>>3*int(p.size) + square&7)
}

// settle stores the legal moves and the phase.
func (p *Small) settle(moves uint64) {
	p.moves, p.phase = moves, playing
	if moves != 0 {
		return
	}
	p.phase = over
	if replies(p.other, p.own, p.ground) != 0 {
		p.phase = passing
	}
}

// Size returns the number of rows and of columns.
func (p *Small) Size() int { return int(p.size) }

// Turn returns the side to move.
func (p *Small) Turn() game.Side { return p.turn }

// Discs returns a side's discs as bits row*8+col.
func (p *Small) Discs(s game.Side) uint64 {
	if s == p.turn {
		return p.own
	}
	return p.other
}

// Moves appends the legal moves, row by row from the top left.
func (p *Small) Moves(buf []game.Move) []game.Move {
	if p.phase == passing {
		return append(buf, game.Pass)
	}
	for m := p.moves; m != 0; m &= m - 1 {
		buf = append(buf, game.Put(p.cell(bits.TrailingZeros64(m))))
	}
	return buf
}

// Count returns the number of legal moves.
func (p *Small) Count() int {
	if p.phase == passing {
		return 1
	}
	return bits.OnesCount64(p.moves)
}

// Sample returns a uniformly random legal move; the zero Move if the game is over.
func (p *Small) Sample(r *rand.PCG) game.Move {
	if p.moves == 0 {
		return p.phase.forcedMove()
	}
	return game.Put(p.cell(game.NthBit(p.moves, game.IntN(r, bits.OnesCount64(p.moves)))))
}

// Play puts a disc and flips the enclosed ones, or passes.
func (p *Small) Play(m game.Move) {
	p.turn ^= 1
	if m == game.Pass {
		p.own, p.other = p.other, p.own
		p.settle(replies(p.own, p.other, p.ground))
		return
	}
	square := p.square(m.To())
	flips, moves := play(p.own, p.other, p.ground, square)
	p.own, p.other = p.other^flips, p.own|flips|1<<square
	p.settle(moves)
}

// Result returns the result: when neither side can move, the side with more discs
// wins.
func (p *Small) Result() game.Result {
	if p.phase != over {
		return game.Ongoing
	}
	return game.ByCount(bits.OnesCount64(p.Discs(game.First)), bits.OnesCount64(p.Discs(game.Second)))
}

// Key returns a hash of the board and the side to move.
func (p *Small) Key() uint64 {
	return game.Mix(game.Mix(game.Mix(uint64(p.size)<<1|uint64(p.turn), p.ground), p.own), p.other)
}

// CopyFrom makes the position equal to another Small.
func (p *Small) CopyFrom(from game.Position) { *p = *from.(*Small) }

// Clone returns a copy of the position.
func (p *Small) Clone() game.Position {
	q := *p
	return &q
}

// SetupOf returns the size of the board and its pits as options of the game.
func (p *Small) SetupOf() game.Setup { return layoutOf(p).setup() }

// Format returns the notation of a move: "d3", or "pass".
func (p *Small) Format(m game.Move) string { return coords(int(p.size)).Format(m) }

// Parse parses the notation of a legal move.
func (p *Small) Parse(s string) (game.Move, error) {
	return coords(int(p.size)).Parse(p, s, nil)
}

// Place implements game.Placer.
func (p *Small) Place(cells []game.Piece) {
	if bits.OnesCount64(p.ground) < len(cells) { // there are pits
		place(p, cells)
		return
	}
	clear(cells)
	for own := p.own; own != 0; own &= own - 1 {
		cells[p.cell(bits.TrailingZeros64(own))] = game.Piece{Kind: game.Stone, Side: p.turn}
	}
	for other := p.other; other != 0; other &= other - 1 {
		cells[p.cell(bits.TrailingZeros64(other))] = game.Piece{Kind: game.Stone, Side: p.turn.Other()}
	}
}

// Board describes how the position looks.
func (p *Small) Board() game.Board { return layoutOf(p).board() }

// String returns the position in one line, such as "8/8/8/3XO3/3OX3/8/8/8 X".
func (p *Small) String() string { return layoutOf(p).String() }
