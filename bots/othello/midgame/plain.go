package midgame

import (
	"math/bits"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
)

// plain evaluates boards of a ground of their own: smaller ones, or with pits.
type plain struct {
	ground  uint64
	anchors uint64 // cells that no line can enclose
	next    uint64 // cells beside an anchor
	cells   int
}

func newPlain(ground uint64) *plain {
	p := &plain{ground: ground, anchors: endgame.Anchors(ground), cells: bits.OnesCount64(ground)}
	p.next = spread(p.anchors) &^ p.anchors & ground
	return p
}

// spread returns cells and those next to them.
func spread(cells uint64) uint64 {
	row := cells | cells<<1&0xfefefefefefefefe | cells>>1&0x7f7f7f7f7f7f7f7f
	return row | row<<8 | row>>8
}

// Weights of the plain evaluation, in hundredths of a disc. The features are old
// knowledge of the game (Rosenbloom, "A world-championship-level Othello program",
// 1982); the numbers are set by hand.
const (
	plainMove     = 70  // a move more than the opponent
	plainAnchor   = 400 // a disc on an anchor, above its being stable
	plainStable   = 170 // a disc that can never be turned over
	plainNext     = 180 // against: a disc beside an empty anchor
	plainFrontier = 25  // against: a disc beside an empty cell
	plainParity   = 120 // having the last of the empty cells to oneself
)

// Eval implements Evaluation.
func (p *plain) Eval(own, other uint64, moves, replies int) int {
	empty := p.ground &^ (own | other)
	v := plainMove*(moves-replies) + p.side(own, empty) - p.side(other, empty)
	if bits.OnesCount64(empty)&1 != 0 {
		v += plainParity
	} else {
		v -= plainParity
	}
	return min(max(v, -p.cells*pattern.Unit), p.cells*pattern.Unit)
}

// side scores the discs of one side.
func (p *plain) side(discs, empty uint64) int {
	near := spread(empty)
	v := -plainFrontier * bits.OnesCount64(discs&near)
	v -= plainNext * bits.OnesCount64(discs&p.next&spread(p.anchors&empty))
	if anchored := discs & p.anchors; anchored != 0 {
		v += plainAnchor * bits.OnesCount64(anchored)
		v += plainStable * bits.OnesCount64(endgame.Stable(discs, empty, p.ground))
	}
	return v
}
