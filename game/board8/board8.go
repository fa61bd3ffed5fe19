// Package board8 is what Neighbors and Lines of Action share: two sides on
// eight by eight cells, each of which wants its pieces in one group.
//
// Start with [Placement], which the positions of both games embed: it carries
// moves out, knows whether either side has gathered its pieces, and turns into
// text and pictures and back. Where a piece may go is all that it leaves to
// the games. [Course] offers the same by the operations of the course
// documents.
//
// Sets of cells are words of 64 bits: bit i is the game.Cell i, so that bit 0
// is a0, bit 7 is h0 and bit 63 is h7, with row 0 on top.
package board8

import "quintet/game"

// Placement is where the pieces of both sides stand and whose turn it is.
type Placement struct {
	pieces [2]uint64
	joined [2]bool // the side's pieces form one group
	turn   game.Side
}

// New returns the placement of two disjoint sets of pieces, the first side to
// move.
func New(first, second uint64) Placement {
	return Placement{
		pieces: [2]uint64{first, second},
		joined: [2]bool{Connected(first), Connected(second)},
	}
}

// Turn returns the side to move.
func (p *Placement) Turn() game.Side { return p.turn }

// Pieces returns where the pieces of a side stand.
func (p *Placement) Pieces(s game.Side) uint64 { return p.pieces[s&1] }

// Sides returns where the pieces of the side to move and of its opponent stand.
func (p *Placement) Sides() (own, other uint64) {
	return p.pieces[p.turn&1], p.pieces[p.turn&1^1]
}

// GroupResult returns the result that the groups decide: a side whose pieces form
// one group wins, and if both do it is a draw. It is ongoing if neither does.
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

// Play moves a piece of the side to move, takes what it lands on off the
// board, and gives the turn to the other side; of a pass, it does only the
// latter.
func (p *Placement) Play(m game.Move) {
	if from, ok := m.From(); ok {
		p.shift(Bit(from), Bit(m.To()))
	}
	p.turn ^= 1
}

// shift looks for a group from the cell on which the piece has arrived: as
// most moves do not gather all pieces, that often ends at once. The other
// side's group can only change if a piece is taken.
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
