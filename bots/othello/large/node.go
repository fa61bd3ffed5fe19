package large

import (
	"math/bits"

	"quintet/bots/othello/linear"
	"quintet/engine"
)

// node returns the score of the board at a ply, searched to a depth: exact between alpha and
// beta, a bound outside. A depth of all empty cells is the end of the game. It means nothing
// once the search is stopped.
func (t *thread) node(b *board, ply, depth, alpha, beta int) int {
	t.nodes++
	if t.stopped() {
		return 0
	}
	if b.count == 0 {
		return t.forced(b, ply, depth, alpha, beta)
	}
	if depth <= 0 {
		return t.eval.score(b)
	}
	if value, ok := t.futile(b, depth, alpha, beta); ok {
		return value
	}
	if depth == 1 {
		return t.shallow(b, ply, depth, alpha, beta)
	}
	depth = min(depth, b.empty)
	key := t.geometry.key(b)
	t.table.Prefetch(key)
	old := lookUp(t.table, key)
	if old.depth >= depth && old.certainty >= t.certainty && old.bound.Cuts(old.score, alpha, beta) {
		return old.score
	}
	if value, ok := t.probCut(b, ply, depth, alpha, beta); ok {
		return value
	}
	return t.searchMoves(b, key, &old, ply, depth, alpha, beta)
}

// forced returns the score of a board on which the side to move cannot move.
func (t *thread) forced(b *board, ply, depth, alpha, beta int) int {
	if b.answers == 0 {
		return t.final(b)
	}
	next := &t.level(ply + 1).board
	t.geometry.pass(b, next)
	return -t.node(next, ply+1, depth, -beta, -alpha)
}

// final returns the score of a board on which neither side can move.
func (t *thread) final(b *board) int {
	return min(max(linear.Unit*t.geometry.margin(b), -t.limit), t.limit)
}

// shallow searches a ply without a table.
func (t *thread) shallow(b *board, ply, depth, alpha, beta int) int {
	best := -t.limit - 1
	child := &t.level(ply + 1).board
	for word := range t.geometry.half {
		for m := b.moves[word]; m != 0; m &= m - 1 {
			row, col := t.geometry.at(word, bits.TrailingZeros64(m))
			t.geometry.play(b, row, col, child)
			value := -t.node(child, ply+1, depth-1, -beta, -max(alpha, best))
			if value > best {
				if best = value; best >= beta {
					return best
				}
			}
		}
	}
	return best
}

// searchMoves searches the moves of a board, stores its score and returns it.
func (t *thread) searchMoves(b *board, key uint64, old *ttEntry, ply, depth, alpha, beta int) int {
	l := t.moves(b, old, ply)
	if depth >= 4 {
		if value, ok := t.enhancedCutoff(l, depth, beta); ok {
			return value
		}
	}
	best, cell := t.moveLoop(l, key, ply, depth, alpha, beta)
	if !t.stopped() {
		if best <= alpha && old.best != 0 {
			cell = old.best - 1
		}
		store(t.table, key, ttEntry{best, engine.BoundOf(best, alpha, beta), depth, t.certainty, cell + 1})
	}
	return best
}

// busyDepth is the least depth of a node whose moves threads share.
const busyDepth = 4

// moveLoop searches the moves of a ply until one reaches beta. It returns the best score, and its
// cell. If the table knows the first move, the others are ordered only after that: it often reaches
// beta. Moves that another thread is searching come last.
func (t *thread) moveLoop(l *level, key uint64, ply, depth, alpha, beta int) (best, cell int) {
	best = -t.limit - 1
	l.later = l.later[:0]
	for n := 0; n < len(l.order)+len(l.later); n++ {
		if n == l.known {
			t.order(l, ply, depth)
		}
		var c candidate
		if again := n >= len(l.order); again {
			c = l.later[n-len(l.order)]
		} else if c = pick(l.order, n); n > 0 && t.searchedElsewhere(key, depth, c) {
			l.later = append(l.later, c)
			continue
		}
		value := t.searchMove(l, key, c, n, ply, depth, max(alpha, best), beta)
		if value > best {
			if best, cell = value, int(c.cell); best >= beta {
				break
			}
		}
	}
	return best, cell
}

// searchedElsewhere reports whether another thread is searching a move.
func (t *thread) searchedElsewhere(key uint64, depth int, c candidate) bool {
	return t.busy != nil && depth >= busyDepth && t.busy.Searching(engine.NewMoveKey(key, uint64(c.cell), depth))
}

// searchMove returns the score of a move. It begins with a null window, and a reduction, where the
// move is not the first, because most such moves fail low.
func (t *thread) searchMove(l *level, key uint64, c candidate, n, ply, depth, alpha, beta int) int {
	if t.busy != nil && depth >= busyDepth {
		k := engine.NewMoveKey(key, uint64(c.cell), depth)
		t.busy.Begin(k)
		defer t.busy.End(k)
	}
	child := &l.boards[c.index]
	if n == 0 {
		return -t.node(child, ply+1, depth-1, -beta, -alpha)
	}
	if less := t.reduction(depth, n, beta-alpha); less > 0 {
		if value := -t.node(child, ply+1, depth-1-less, -alpha-1, -alpha); value <= alpha {
			return value
		}
	}
	value := -t.node(child, ply+1, depth-1, -alpha-1, -alpha)
	if value > alpha && value < beta {
		value = -t.node(child, ply+1, depth-1, -beta, -value)
	}
	return value
}

// enhancedCutoff looks for a move after which the table has a bound that fails high here
// (enhanced transposition cutoff).
func (t *thread) enhancedCutoff(l *level, depth, beta int) (value int, ok bool) {
	for i := range l.boards {
		k := lookUp(t.table, t.geometry.key(&l.boards[i]))
		if k.depth >= depth-1 && k.certainty >= t.certainty && (k.bound == engine.Exact || k.bound == engine.UpperBound) && -k.score >= beta {
			return -k.score, true
		}
	}
	return 0, false
}
