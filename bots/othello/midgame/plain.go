package midgame

import (
	"math/bits"

	"quintet/bots/othello/linear"
	"quintet/games/othello"
)

// plain evaluates boards of a shape of their own, smaller ones or those with pits, by the linear
// evaluation.
type plain struct {
	ground  uint64
	masks   linear.Masks
	weights *linear.Evaluator
}

func newPlain(w *linear.Weights, ground uint64) *plain {
	s := &linear.Shape{Size: sizeOf(ground)}
	for r := range s.Size {
		s.Rows[r] = uint32(ground >> (8 * r) & 0xff)
	}
	masks := s.Masks(1, func(row, col int) (word, bit int) { return 0, row*8 + col })
	return &plain{ground: ground, masks: masks[0], weights: linear.NewEvaluator(w, s)}
}

// sizeOf returns the smallest even size of a board that has all cells of a set.
func sizeOf(ground uint64) int {
	switch {
	case ground&^0x0f0f0f0f == 0:
		return 4
	case ground&^0x3f3f3f3f3f3f == 0:
		return 6
	}
	return 8
}

// score evaluates a board on which the side to move can move, by the replies its opponent would
// have to a pass.
func (p *plain) score(w *othello.Bitboards, replies uint64) int {
	var r linear.Row
	p.features(w, replies, &r)
	return p.weights.Score(&r, bits.OnesCount64(w.Empty()))
}

// features sets a row to the features of a board.
func (p *plain) features(w *othello.Bitboards, replies uint64, r *linear.Row) {
	empty := p.ground &^ (w.Own | w.Other)
	in := linear.Word{
		Own: w.Own, Other: w.Other, Empty: empty, Moves: w.Moves, Replies: replies,
		BesideEmpty: beside(empty), BesideOwn: beside(w.Own), BesideOther: beside(w.Other),
	}
	anchors := p.masks.Anchors
	if free := anchors & empty; free != 0 {
		in.Adjacent, in.Diagonal = neighbours(free)
	}
	if anchors&^empty != 0 {
		in.StableOwn, in.StableOther = p.connect(w.Own), p.connect(w.Other)
	}
	r.Add(&in, &p.masks)
	r.AddDiscs(w.Own, w.Other, &p.masks)
	r.Finish(bits.OnesCount64(w.Moves), bits.OnesCount64(replies), bits.OnesCount64(empty))
}

const (
	notFirst = 0xfefefefefefefefe // all columns but a
	notLast  = 0x7f7f7f7f7f7f7f7f // all columns but h
)

// beside returns cells and their eight neighbours.
func beside(cells uint64) uint64 {
	row := cells | cells<<1&notFirst | cells>>1&notLast
	return row | row<<8 | row>>8
}

// neighbours returns the neighbours of cells in rows and columns, and on diagonals.
func neighbours(cells uint64) (adjacent, diagonal uint64) {
	row := cells<<1&notFirst | cells>>1&notLast
	return row | cells<<8 | cells>>8, row<<8 | row>>8
}

// connect returns the discs of a side on anchors, and those on edges that they connect to them.
func (p *plain) connect(discs uint64) uint64 {
	cells := discs & p.masks.Anchors
	for edges := discs & p.masks.Edges; ; {
		adjacent, _ := neighbours(cells)
		more := adjacent & edges &^ cells
		if more == 0 {
			return cells
		}
		cells |= more
	}
}
