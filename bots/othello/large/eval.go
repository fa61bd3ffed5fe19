package large

import "quintet/bots/othello/linear"

// evaluator evaluates boards of one geometry. It is not for several goroutines.
type evaluator struct {
	geometry *geometry
	weights  *linear.Evaluator

	empty, anchors, owned, theirs set // of the board in evaluation: scratch
}

func newEvaluator(w *linear.Weights, g *geometry) *evaluator {
	return &evaluator{geometry: g, weights: linear.NewEvaluator(w, g.shape())}
}

// score evaluates a board for the side to move, which can move.
func (e *evaluator) score(b *board) int {
	var r linear.Row
	e.features(b, &r)
	return e.weights.Score(&r, b.empty)
}

// features sets a row to the features of a board.
func (e *evaluator) features(b *board, row *linear.Row) {
	g := e.geometry
	half := min(uint(g.half), most)
	empty, anchors, owned, theirs := &e.empty, &e.anchors, &e.owned, &e.theirs
	any, held := uint64(0), uint64(0)
	for i := range half {
		mask := g.masks[i].Anchors
		empty[i] = g.ground[i] &^ (b.own[i] | b.other[i])
		anchors[i] = empty[i] & mask
		owned[i], theirs[i] = b.own[i]&mask, b.other[i]&mask
		any, held = any|anchors[i], held|owned[i]|theirs[i]
	}
	if held != 0 {
		e.connect(owned, &b.own)
		e.connect(theirs, &b.other)
	}
	for i := range half {
		w := linear.Word{
			Own: b.own[i], Other: b.other[i], Empty: empty[i], Moves: b.moves[i], Replies: b.replies[i],
			BesideEmpty: empty.beside(i, half), BesideOwn: b.own.beside(i, half), BesideOther: b.other.beside(i, half),
			StableOwn: owned[i], StableOther: theirs[i],
		}
		if any != 0 {
			w.Adjacent, w.Diagonal = anchors.neighbours(i, half)
		}
		row.Add(&w, &g.masks[i])
	}
	row.SetDiscs(b.discs)
	row.Finish(b.count, b.answers, b.empty)
}

// vertical returns the cells above and below the cells of a set, in word i of half.
func (s *set) vertical(i, half uint) (cells uint64) {
	if i > 0 {
		cells = s[i-1]
	}
	if i+1 < half {
		return cells | s[i+1]
	}
	return cells | turned(s[i]) // the middle rows are each other's neighbours
}

// beside returns the cells of a set and their eight neighbours, in word i of half.
func (s *set) beside(i, half uint) uint64 {
	cells := s[i] | s.vertical(i, half)
	return cells | cells<<1 | cells>>1
}

// neighbours returns the neighbours of the cells of a set in rows and columns, and on
// diagonals, in word i of half.
func (s *set) neighbours(i, half uint) (adjacent, diagonal uint64) {
	v := s.vertical(i, half)
	return v | s[i]<<1 | s[i]>>1, v<<1 | v>>1
}

// connect adds to a set, the anchors of a side, its discs on edges that they connect to.
func (e *evaluator) connect(s, discs *set) {
	g := e.geometry
	half := min(uint(g.half), most)
	for grown := uint64(1); grown != 0; {
		grown = 0
		for i := range half {
			adjacent, _ := s.neighbours(i, half)
			more := adjacent & discs[i] & g.masks[i].Edges &^ s[i]
			s[i] |= more
			grown |= more
		}
	}
}
