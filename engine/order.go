package engine

import "quintet/game"

// order holds the move-ordering heuristics of a search.
type order struct {
	killers [maxPly + 1][2]game.Move  // killer moves by ply
	history [2][historySize]int32     // history heuristic
	replies [2][historySize]game.Move // countermoves

	// Continuation history, by the target of the opponent's last move and of the own
	// move before it.
	after [2][pairCells][historySize]int16
}

// pairCells is the number of target cells in continuation history.
const pairCells = 64

// historySize is the number of moves in history: pairs of 64 cells, or 4,096 cells for
// stones.
const historySize = 1 << 12

// historyLimit keeps history below killers and the table's move.
const historyLimit = 1 << 14

// historyIndex returns the index of a move in the history table.
func historyIndex(m game.Move) int {
	from, _ := m.From()
	return int(from*64+m.To()) & (historySize - 1)
}

// Values of moves, highest first. Order's values and history are in between.
const (
	fromTable  = 1 << 30
	noisyMove  = 1 << 24
	killerMove = 1 << 20
	replyMove  = 1 << 19
	losingMove = -1 << 24 // noisy, but loses material
)

// isQuiet reports whether a value is that of a quiet move. The table's move counts as noisy.
func isQuiet(value int32) bool { return value < noisyMove/2 && value > losingMove/2 }

// continuation returns the continuation history of the move played some plies ago.
func (w *worker) continuation(ply, ago int) *[historySize]int16 {
	last := game.Move(0)
	if ply >= ago {
		last = w.played[ply-ago]
	}
	return &w.order.after[ago-1][last.To()%pairCells]
}

// score computes the ordering values of the moves of a ply.
func (w *worker) score(p game.Position, ply int, moves []game.Move, values []int32, first, last game.Move) {
	side := p.Turn() & 1
	killers, reply := &w.order.killers[ply], w.order.replies[side][historyIndex(last)]
	one, two := w.continuation(ply, 1), w.continuation(ply, 2)
	for i, m := range moves {
		at := historyIndex(m)
		v := w.order.history[side][at] + int32(one[at]) + int32(two[at])
		switch {
		case m == first:
			v = fromTable
		case w.know.Noisy != nil && w.know.Noisy(p, m):
			v = noisyMove // pick finds those that lose
		case m == killers[0] || m == killers[1]:
			v = killerMove
		case m == reply:
			v = replyMove
		}
		if w.know.Order != nil && m != first {
			v += int32(w.know.Order(p, m)) * 16
		}
		if w.know.Candidates != nil {
			v -= int32(min(i, 100)) // candidates are sorted best first
		}
		values[i] = v
	}
}

// choose moves the next move to search to index i. It orders quiet moves by the evaluation, too,
// if one is due that is neither killer nor countermove: most nodes cut off before.
func (w *worker) choose(b *moveLoop, moves []game.Move, values []int32, i int) {
	p := w.pos[b.ply]
	w.pick(p, moves, values, i)
	if !b.ordered && isQuiet(values[i]) && values[i] < replyMove/2 {
		b.ordered = true
		w.orderByEval(b.ply, moves[i:], values[i:])
		w.pick(p, moves, values, i)
	}
}

// Limits of the order by evaluation, so that quiet moves come after killers and countermoves.
const (
	orderLimit     = 400 // points by which a move changes the evaluation
	maxOrderWeight = 400 // of a point
)

// orderByEval adds to the values of quiet moves by how much they change the evaluation.
func (w *worker) orderByEval(ply int, moves []game.Move, values []int32) {
	before := 0
	if w.evals[ply] != unclear {
		before = w.evals[ply]
	}
	for i, m := range moves {
		if isQuiet(values[i]) {
			change := min(max(w.evalAfter(ply, m)-before, -orderLimit), orderLimit)
			values[i] += int32(change * w.tuning.OrderWeight)
		}
	}
}

// evalAfter returns the evaluation of the position after a move, for the side that moves.
func (w *worker) evalAfter(ply int, m game.Move) int {
	p, child := w.pos[ply], w.play(ply, m)
	if r := child.Result(); r.Over() {
		score := w.know.final(child, r, ply)
		if child.Turn() != p.Turn() {
			score = -score
		}
		return min(max(score, -MaxEval), MaxEval)
	}
	if child.Turn() == p.Turn() {
		return w.eval(ply + 1)
	}
	return -w.eval(ply + 1)
}

// pick moves the best of the moves from i on to index i. Sorting all moves does not pay,
// because most nodes cut off after a move or two. pick computes the gain of a capture
// only when it is the best left, and moves it to the end if it loses.
func (w *worker) pick(p game.Position, moves []game.Move, values []int32, i int) {
	values = values[:len(moves)]
	best := first(values, i)
	for w.know.Gain != nil && unchecked(values[best]) && w.know.Gain(p, moves[best]) < 0 {
		values[best] += losingMove - noisyMove
		best = first(values, i)
	}
	swap(moves, values, i, best)
}

// swap exchanges two moves and their values.
func swap(moves []game.Move, values []int32, i, j int) {
	moves[i], moves[j] = moves[j], moves[i]
	values[i], values[j] = values[j], values[i]
}

// unchecked reports whether a value is that of a noisy move that may lose. That of
// the table's move does not matter.
func unchecked(value int32) bool { return value >= noisyMove/2 && value < fromTable/2 }

// firstScalar is first for any processor and at least one value, but at most 65,536. It looks at four values in a
// turn of its loop, because in WebAssembly a turn takes longer than a comparison.
func firstScalar(values []int32, i int) int {
	best := ranked(values[i], i)
	for i++; i+4 <= len(values); i += 4 {
		v := (*[4]int32)(values[i:])
		best = max(best, ranked(v[0], i), ranked(v[1], i+1), ranked(v[2], i+2), ranked(v[3], i+3))
	}
	for ; i < len(values); i++ {
		best = max(best, ranked(values[i], i))
	}
	return int(-best & (1<<indexBits - 1))
}

const indexBits = 16

// ranked returns a number that is larger for larger values, and among equal ones for smaller indices.
func ranked(v int32, i int) int64 { return int64(v)<<indexBits - int64(i) }

// reward updates the heuristics after a beta cutoff by a quiet move, with maluses for the
// quiet moves tried before it.
func (w *worker) reward(p game.Position, ply, depth int, last game.Move, tried []game.Move) {
	m, side := tried[len(tried)-1], p.Turn()&1
	if w.know.Noisy != nil && w.know.Noisy(p, m) {
		return
	}
	if k := &w.order.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	w.order.replies[side][historyIndex(last)] = m
	bonus := int32(min(depth*depth, 400)) * 4
	w.learn(ply, side, m, bonus)
	for _, bad := range tried[:len(tried)-1] {
		w.learn(ply, side, bad, -bonus)
	}
}

// learn moves the values of a move toward the limit, the less the nearer they
// are.
func (w *worker) learn(ply int, side game.Side, m game.Move, bonus int32) {
	size, at := max(bonus, -bonus), historyIndex(m)
	h := &w.order.history[side][at]
	*h += bonus - *h*size/historyLimit
	for ago := 1; ago <= 2; ago++ {
		h := &w.continuation(ply, ago)[at]
		*h += int16(bonus - int32(*h)*size/historyLimit)
	}
}
