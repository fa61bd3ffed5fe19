package bots

import (
	"math/bits"

	"quintet/game"
)

// othelloBoard is implemented by both kinds of Othello position.
type othelloBoard interface {
	Size() int
	Turn() game.Side
	Row(s game.Side, row int) uint32
	Ground(row int) uint32
	Mobility() (own, other int)
}

// Weights of Othello's features, per cell or move. The features are well known (Rosenbloom,
// "A world-championship-level Othello program", 1982); the weights are ours, set by hand.
const (
	othelloMove     = 9  // per move more than the opponent
	othelloAnchor   = 60 // a disc that can never be flipped
	othelloNext     = 18 // penalty: a disc next to an empty anchor
	othelloFrontier = 4  // penalty: a disc next to an empty cell
	othelloDisc     = 3  // per disc, in the last plies
	othelloLast     = 10 // number of empty cells in the last plies
)

// evalOthello is for searches of any game; those of Othello have better ones. It counts
// mobility, anchors and frontier, on any board. An anchor is a cell that no line can enclose:
// on each of its four lines, a neighbour is a pit or off the board. Without pits the anchors
// are the corners.
func evalOthello(p game.Position) int {
	b := p.(othelloBoard)
	var f [2]othelloFeatures
	var own, other, ground [28]uint32 // with an extra row above and below
	size := b.Size()
	for r := range size {
		own[r+1], other[r+1], ground[r+1] = b.Row(b.Turn(), r), b.Row(b.Turn().Other(), r), b.Ground(r)
	}
	empty := 0
	for r := 1; r <= size; r++ {
		anchors := anchorsIn(&ground, r)
		free := ground[r] &^ (own[r] | other[r])
		empty += bits.OnesCount32(free)
		near := beside(&ground, &own, &other, r)
		nextTo := besideAnchor(&ground, &own, &other, r)
		f[0].add(own[r], anchors, near, nextTo)
		f[1].add(other[r], anchors, near, nextTo)
	}
	moves, theirs := b.Mobility()
	score := othelloMove*(moves-theirs) + f[0].value() - f[1].value()
	if empty <= othelloLast {
		score += othelloDisc * (f[0].discs - f[1].discs)
	}
	return score
}

// othelloFeatures are the cell counts of one side.
type othelloFeatures struct{ discs, anchors, next, frontier int }

func (f *othelloFeatures) add(discs, anchors, near, nextTo uint32) {
	f.discs += bits.OnesCount32(discs)
	f.anchors += bits.OnesCount32(discs & anchors)
	f.next += bits.OnesCount32(discs & nextTo &^ anchors)
	f.frontier += bits.OnesCount32(discs & near)
}

func (f *othelloFeatures) value() int {
	return othelloAnchor*f.anchors - othelloNext*f.next - othelloFrontier*f.frontier
}

// anchorsIn returns the anchors of a row.
func anchorsIn(ground *[28]uint32, r int) uint32 {
	up, here, down := ground[r-1], ground[r], ground[r+1]
	return here &^ (here << 1 & (here >> 1)) &^ (up & down) &^ (up << 1 & (down >> 1)) &^ (up >> 1 & (down << 1))
}

// beside returns the cells of a row next to an empty cell.
func beside(ground, own, other *[28]uint32, r int) (near uint32) {
	for i := r - 1; i <= r+1; i++ {
		free := ground[i] &^ (own[i] | other[i])
		near |= free | free<<1 | free>>1
	}
	return near
}

// besideAnchor returns the cells of a row next to an anchor that is empty.
func besideAnchor(ground, own, other *[28]uint32, r int) (near uint32) {
	for i := max(r-1, 1); i <= min(r+1, 26); i++ {
		free := anchorsIn(ground, i) &^ (own[i] | other[i])
		near |= free | free<<1 | free>>1
	}
	return near
}

// orderOthello tries anchors first.
func orderOthello(p game.Position, m game.Move) int {
	b := p.(othelloBoard)
	if m == game.Pass {
		return 0
	}
	size := b.Size()
	row, col := int(m.To())/size, int(m.To())%size
	var ground [28]uint32
	for r := max(row-1, 0); r <= min(row+1, size-1); r++ {
		ground[r+1] = b.Ground(r)
	}
	if anchorsIn(&ground, row+1)>>col&1 != 0 {
		return 500
	}
	return 0
}
