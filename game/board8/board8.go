// Package board8 is the common part of Neighbors and Lines of Action: two sides on
// eight by eight cells, each trying to connect its pieces.
//
// Start with [Placement], which the positions of both games embed: it plays moves,
// decides whether a side's pieces are connected, and converts to text and boards. The
// games only add the moves of a piece.
//
// Sets of cells are bitboards: bit i is game.Cell i, so that bit 0 is a0, bit 7 is h0
// and bit 63 is h7, with row 0 at the top.
package board8

import "quintet/game"

// Placement is the pieces of both sides and the side to move.
type Placement struct {
	pieces [2]uint64
	joined [2]bool // the side's pieces form one group
	turn   game.Side
}

// New returns a placement of two disjoint sets of pieces with the first side to move.
func New(first, second uint64) Placement {
	return Placement{
		pieces: [2]uint64{first, second},
		joined: [2]bool{Connected(first), Connected(second)},
	}
}

// Copy makes the placement equal to another. Field by field, this takes no call for a move
// of memory in WebAssembly.
func (p *Placement) Copy(q *Placement) {
	p.pieces = q.pieces
	p.joined = q.joined
	p.turn = q.turn
}

// Turn returns the side to move.
func (p *Placement) Turn() game.Side { return p.turn }

// Pieces returns the pieces of a side.
func (p *Placement) Pieces(s game.Side) uint64 { return p.pieces[s&1] }

// Sides returns the pieces of the side to move and of its opponent.
func (p *Placement) Sides() (own, other uint64) {
	return p.pieces[p.turn&1], p.pieces[p.turn&1^1]
}

// GroupResult returns the result by the groups: a win for a side whose pieces form
// one group, a draw if both do, ongoing if neither does.
func (p *Placement) GroupResult() game.Result {
	switch {
	case p.joined[0] && p.joined[1]:
		return game.Draw
	case p.joined[0]:
		return game.FirstWins
	case p.joined[1]:
		return game.SecondWins
	}
	return game.Ongoing
}

// Play moves a piece of the side to move, captures on its target, and ends the turn.
// A pass only ends the turn.
func (p *Placement) Play(m game.Move) {
	if from, ok := m.From(); ok {
		p.shift(Bit(from), Bit(m.To()))
	}
	p.turn ^= 1
}

// shift starts the search for the group at the target cell: most moves do not connect
// all pieces, and then it often ends at once. The opponent's group changes only with
// a capture.
func (p *Placement) shift(from, to uint64) {
	s, o := p.turn&1, p.turn&1^1
	p.pieces[s] ^= from | to
	p.joined[s] = Group(to, p.pieces[s]) == p.pieces[s]
	if p.pieces[o]&to != 0 {
		p.pieces[o] &^= to
		p.joined[o] = Connected(p.pieces[o])
	}
}

// Key returns a hash of the pieces and the side to move.
func (p *Placement) Key() uint64 {
	return game.Mix(game.Mix(uint64(p.turn), p.pieces[0]), p.pieces[1])
}
