package large

import (
	"math/bits"
	"slices"
)

// moves lists the moves of a board, in the scratch memory of its ply. The move of the table comes
// first; the others are ordered by order.
func (t *thread) moves(b *board, old *ttEntry, ply int) *level {
	l := t.level(ply)
	l.boards, l.order = l.boards[:0], l.order[:0]
	for word := range t.geometry.half {
		for m := b.moves[word]; m != 0; m &= m - 1 {
			row, col := t.geometry.at(word, bits.TrailingZeros64(m))
			if len(l.boards) == cap(l.boards) {
				l.boards = append(l.boards, board{})
			} else {
				l.boards = l.boards[:len(l.boards)+1]
			}
			child := &l.boards[len(l.boards)-1]
			t.geometry.play(b, row, col, child)
			c := candidate{cell: int16(row*t.geometry.size + col), index: int16(len(l.boards) - 1)}
			l.order = append(l.order, c)
		}
	}
	l.known = 0
	if i := slices.IndexFunc(l.order, func(c candidate) bool { return old.best == int(c.cell)+1 }); i >= 0 {
		l.known, l.order[i].value = 1, 1<<28 // higher than any other
		l.order[0], l.order[i] = l.order[i], l.order[0]
	}
	return l
}

// order gives the moves that the table does not know their value.
func (t *thread) order(l *level, ply, depth int) {
	for i := l.known; i < len(l.order); i++ {
		c := &l.order[i]
		c.value = t.orderingValue(&l.boards[c.index], ply, depth)
	}
}

// orderingValue returns how good a move looks, in hundredths of a disc: by a small search of the
// board after it, and near the end by how few moves that leaves.
func (t *thread) orderingValue(after *board, ply, depth int) int32 {
	less := sortDepth(depth, after.empty+1)
	var value int
	if less > 0 || after.count == 0 {
		value = -t.node(after, ply+1, less, -t.limit-1, t.limit+1)
	} else {
		t.nodes++
		value = -t.eval.score(after)
	}
	if depth > after.empty { // the fewer replies, the smaller the tree
		value -= 300 * after.count
	}
	return int32(value)
}

// sortDepth returns how deep to look to order the moves of a node.
func sortDepth(depth, empty int) int {
	if depth >= empty {
		return max((empty-10)/4, 0)
	}
	return max((depth-4)/2, 0)
}

// pick moves the best candidate from place i on to it.
func pick(list []candidate, i int) candidate {
	best := i
	for j := i + 1; j < len(list); j++ {
		if list[j].value > list[best].value {
			best = j
		}
	}
	list[i], list[best] = list[best], list[i]
	return list[i]
}
