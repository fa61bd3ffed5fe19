// Package linear evaluates Othello on boards of any size, with or without pits, by a linear
// combination of a few features. Its weights depend on the phase of the game and on the board.
//
// A board is a list of words of 64 cells each, in any layout: the features count cells in sets,
// and the caller computes the neighbours of sets. Pits and the border are walls.
package linear

import "math/bits"

// The features, each a difference between the side to move and its opponent, or a property of
// the side to move.
const (
	Bias          = iota // 1
	Parity               // 1 if the number of empty cells is odd, else -1
	Mobility             // legal moves
	MobilityShare        // 64 (m-r) / (m+r+2), where m and r are the legal moves of the sides
	AnchorMoves          // legal moves to anchors
	EdgeMoves            // legal moves to edges
	RiskyMoves           // legal moves to cells beside an empty anchor
	Frontier             // discs beside an empty cell
	EdgeFrontier         // the same, on edges
	Potential            // empty cells beside a disc of the opponent
	Anchors              // discs on anchors
	Edges                // discs on edges
	Slopes               // discs on cells with two or three open lines
	Second               // discs on cells with four open lines beside cells with fewer
	Inner                // discs on the other cells
	Adjacent             // discs in a row or column beside an empty anchor
	Diagonal             // discs diagonally beside an empty anchor
	Stable               // discs on edges that discs of the side connect to its anchors
	Features             // the number of features
)

// Unit is a disc, in the unit of evaluations.
const Unit = 100

// Limit is the largest evaluation of a board: all its cells, but not more than 200 discs.
func Limit(cells int) int { return Unit * min(cells, 200) }

// Masks are the classes of cells of a word, by the number of open lines: those of the four lines
// through a cell on which neither neighbour is a wall. No line can enclose a disc on an anchor.
type Masks struct {
	Anchors uint64 // no open line
	Edges   uint64 // one
	slopes  uint64 // two or three
	second  uint64 // four, and beside a cell with fewer
	inner   uint64
}

// Word is 64 cells of a board: sets of cells, and the sets' neighbours.
type Word struct {
	Own, Other, Empty uint64
	Moves, Replies    uint64 // legal moves of the side to move, and of its opponent

	BesideEmpty            uint64 // cells with an empty neighbour, of eight
	BesideOwn, BesideOther uint64 // cells with such a disc as a neighbour
	Adjacent, Diagonal     uint64 // neighbours of empty anchors, in a row or column or on a diagonal
	StableOwn, StableOther uint64 // discs on edges that discs of the side connect to its anchors
}

// Row holds the features of a board.
type Row [Features]int32

// Add adds the features of a word, except those that AddDiscs adds.
func (r *Row) Add(w *Word, m *Masks) {
	risky := w.Adjacent | w.Diagonal
	if (w.Moves|w.Replies)&m.Anchors != 0 {
		r[AnchorMoves] += difference(w.Moves, w.Replies, m.Anchors)
	}
	r[EdgeMoves] += difference(w.Moves, w.Replies, m.Edges)
	r[Frontier] += difference(w.Own, w.Other, w.BesideEmpty)
	r[EdgeFrontier] += difference(w.Own, w.Other, w.BesideEmpty&m.Edges)
	r[Potential] += difference(w.BesideOther, w.BesideOwn, w.Empty)
	if risky != 0 {
		r[RiskyMoves] += difference(w.Moves, w.Replies, risky)
		r[Adjacent] += difference(w.Own, w.Other, w.Adjacent)
		r[Diagonal] += difference(w.Own, w.Other, w.Diagonal)
	}
	if w.StableOwn|w.StableOther != 0 {
		r[Stable] += difference(w.StableOwn, w.StableOther, ^uint64(0))
	}
}

// AddDiscs adds the number of discs of each class.
func (r *Row) AddDiscs(own, other uint64, m *Masks) {
	r[Anchors] += difference(own, other, m.Anchors)
	r[Edges] += difference(own, other, m.Edges)
	r[Slopes] += difference(own, other, m.slopes)
	r[Second] += difference(own, other, m.second)
	r[Inner] += difference(own, other, m.inner)
}

// classBits is the width of a count in Discs.
const classBits = 12

// Discs are the numbers of discs of each class, packed: those of the side to move less those of
// its opponent. They can be added and negated as a whole.
type Discs int64

// Disc returns the Discs of one disc on a cell, a bit of a word.
func (m *Masks) Disc(bit int) Discs {
	for class, mask := range [...]uint64{m.Anchors, m.Edges, m.slopes, m.second, m.inner} {
		if mask>>bit&1 != 0 {
			return 1 << (classBits * class)
		}
	}
	return 0
}

// SetDiscs sets the number of discs of each class.
func (r *Row) SetDiscs(d Discs) {
	for class := range int32(Adjacent - Anchors) {
		n := d << (64 - classBits) >> (64 - classBits) // the lowest count, with its sign
		r[Anchors+class] = int32(n)
		d = (d - n) >> classBits
	}
}

// difference returns by how many more cells of a mask are in one set than in another.
func difference(one, other, mask uint64) int32 {
	return int32(bits.OnesCount64(one&mask) - bits.OnesCount64(other&mask))
}

// Finish completes the features after all words have been added.
func (r *Row) Finish(moves, replies, empty int) {
	r[Bias] = 1
	r[Mobility] = int32(moves - replies)
	r[Parity] = int32(empty&1)*2 - 1
	r[MobilityShare] = int32(64 * (moves - replies) / (moves + replies + 2))
}
