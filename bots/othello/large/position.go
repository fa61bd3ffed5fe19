package large

import (
	"math/bits"

	"quintet/game"
)

// position is a board as a position of the general search, which asks for the methods below. All
// others are those of the position at which the search began.
type position struct {
	game.Position

	geometry *geometry
	eval     evaluator
	board    board
	turn     game.Side
	next     board // scratch
}

// Turn implements game.Position.
func (p *position) Turn() game.Side { return p.turn }

// Moves implements game.Position.
func (p *position) Moves(buf []game.Move) []game.Move {
	if p.board.count == 0 && p.board.answers > 0 {
		return append(buf, game.Pass)
	}
	g := p.geometry
	for row := range g.size {
		word, shift := g.place(row, 0)
		for x := uint32(p.board.moves[word] >> shift); x != 0; x &= x - 1 {
			buf = append(buf, game.Put(game.Cell(row*g.size+bits.TrailingZeros32(x))))
		}
	}
	return buf
}

// Play implements game.Position.
func (p *position) Play(m game.Move) {
	if m == game.Pass {
		p.geometry.pass(&p.board, &p.next)
	} else {
		cell := int(m.To())
		p.geometry.play(&p.board, cell/p.geometry.size, cell%p.geometry.size, &p.next)
	}
	p.board, p.turn = p.next, p.turn.Other()
}

// Result implements game.Position.
func (p *position) Result() game.Result {
	if p.board.count+p.board.answers > 0 {
		return game.Ongoing
	}
	switch margin := p.geometry.margin(&p.board); {
	case margin > 0:
		return game.Win(p.turn)
	case margin < 0:
		return game.Win(p.turn.Other())
	}
	return game.Draw
}

// Key implements game.Position. Boards are seen by the side to move, so colours do not matter.
func (p *position) Key() uint64 {
	key := uint64(0x5eed)
	for i := range min(uint(p.geometry.half), most) {
		key = game.Mix(key^p.board.other[i]*0x9e3779b97f4a7c15, p.board.own[i])
	}
	return key
}

// CopyFrom implements game.Position.
func (p *position) CopyFrom(from game.Position) {
	q := from.(*position)
	p.board, p.turn = q.board, q.turn
	if p.geometry != q.geometry {
		p.Position, p.geometry, p.eval = q.Position, q.geometry, q.eval
	}
}

// Clone implements game.Position.
func (p *position) Clone() game.Position {
	c := *p
	return &c
}
