package midgame

import (
	"math/bits"

	"quintet/games/othello"
)

// candidate is a move with the board after it, and how early to try it: the
// higher, the earlier.
type candidate struct {
	after  othello.Bitboards
	value  int32
	square int8
}

// list is a scratch buffer for the moves of a board.
type list [40]candidate

// The values of candidates that the table knows, and of those that have none yet.
const (
	tableFirst, tableSecond = 1 << 20, 1 << 19
	unordered               = -1 << 20
)

// moves returns the moves of a board, in the scratch list for its number of empty cells, which no
// board below it shares. The moves from the table have their value, the others get it by order;
// known reports whether the table has a first move.
func (t *thread) moves(w *othello.Bitboards, old *ttEntry, depth, empty int) (list []candidate, known bool) {
	buf := &t.lists[empty&63]
	n := 0
	for m := w.Moves; m != 0 && n < len(buf); m &= m - 1 {
		square := bits.TrailingZeros64(m)
		c := &buf[n]
		c.after, c.square, c.value = w.Play(square), int8(square), unordered
		if depth > fromTable { // the search of the board after the move will look it up
			t.table.Prefetch(keyOf(&c.after))
		}
		switch square + 1 {
		case old.best[0]:
			c.value, known = tableFirst, true
		case old.best[1]:
			c.value = tableSecond
		}
		n++
	}
	return buf[:n], known
}

// order gives the moves their value that have none yet.
func (t *thread) order(moves []candidate, depth, empty int) {
	for i := range moves {
		if c := &moves[i]; c.value == unordered {
			c.value = t.orderingValue(c, depth, empty)
		}
	}
}

// orderingValue returns how good a move looks, in points: by a small search of the board after
// it, and by how few moves that leaves.
func (t *thread) orderingValue(c *candidate, depth, empty int) int32 {
	replies := bits.OnesCount64(c.after.Moves)
	if depth == fromTable && depth < empty && t.noProbCut { // ProbCut would use the evaluations again
		return int32(-replies)
	}
	value := -t.orderingSearch(&c.after, t.plan.tuning.sortDepth(depth, empty))
	if depth >= empty { // the fewer replies, the smaller the tree
		return int32(value - t.plan.tuning.EndReplies*replies)
	}
	return int32(value - t.plan.tuning.Replies*replies)
}

// sortDepth returns how deep to look to order the moves of a node: half as deep as it is searched
// at most.
func (t *Tuning) sortDepth(depth, empty int) int {
	plies := (10*depth - t.SortFrom) / t.SortEach
	if depth >= empty {
		plies = (10*empty - t.EndFrom) / t.EndEach
	}
	return min(max(plies, 0), depth/2)
}

// orderingSearch scores a board by a small search.
func (t *thread) orderingSearch(w *othello.Bitboards, depth int) int {
	if depth > 0 || w.Moves == 0 {
		return t.node(w, depth, -infinite, infinite)
	}
	t.nodes++
	return t.cachedScore(w)
}

// pick moves the best candidate from place i on to it.
func pick(moves []candidate, i int) *candidate {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if moves[j].value > moves[best].value {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	return &moves[i]
}
