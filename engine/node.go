package engine

import (
	"math"
	"slices"

	"quintet/game"
)

// node searches the position at a ply to a depth. The score is exact between alpha and
// beta, otherwise a bound. done is false if the search was stopped; the score is then
// meaningless, except at the root, where it is that of the best finished move if w.length
// is not 0.
func (w *worker) node(ply, depth, alpha, beta int, last game.Move) (score int, done bool) {
	p := w.pos[ply]
	w.length[ply] = 0
	w.nodes++
	if ply > 0 && w.stopped() {
		return 0, false
	}
	if r := p.Result(); r.Over() {
		return w.know.final(p, r, ply), true
	}
	key := w.keys[ply]
	if ply > 0 && w.line.repeated(key) {
		return w.halted(p, ply), true
	}
	if ply >= maxPly {
		return w.eval(ply), true
	}
	if w.danger[ply] && !w.full {
		depth++
	}
	if depth <= 0 {
		return w.quiescence(ply, alpha, beta)
	}
	tableKey := w.tableKey(ply)
	old := w.table.get(tableKey, ply)
	if ply > 0 && old.answers(query{depth, alpha, beta}) {
		return old.score, true
	}
	if old.move == 0 && depth >= 4 && !w.full {
		depth-- // internal iterative reduction: without a table move a deep search is expensive
	}
	w.line.push(key)
	w.queries[ply] = query{depth, alpha, beta}
	best, move, done := w.inner(ply, depth, alpha, beta, old, last)
	w.line.pop()
	switch {
	case !done && w.unwind.active:
		return w.unwound(ply)
	case done && move != 0:
		w.table.put(tableKey, ttEntry{move: move, score: best, depth: depth, bound: BoundOf(best, alpha, beta)}, ply)
	}
	return best, done
}

// halted returns the score of a game stopped by repetition.
func (w *worker) halted(p game.Position, ply int) int {
	if w.know.Stopped != nil {
		return w.know.Stopped(p)
	}
	return ResultScore(game.StoppedResult(p), p.Turn(), ply)
}

// inDanger reports whether the side to move is in danger.
func (w *worker) inDanger(p game.Position) bool { return w.know.Danger != nil && w.know.Danger(p) }

// inner searches a node without a cutoff from the table. The move is zero if none was
// searched.
func (w *worker) inner(ply, depth, alpha, beta int, old ttEntry, last game.Move) (best int, move game.Move, done bool) {
	w.evals[ply] = unclear
	if w.know.Margin > 0 && !w.danger[ply] && !w.full {
		w.evals[ply] = w.estimate(w.eval(ply), old)
		if beta-alpha == 1 {
			best, cut, done := w.prune(ply, depth, alpha, beta, last)
			if cut || !done {
				return best, 0, done
			}
			if best, move, cut, done := w.probCut(ply, depth, beta, old); cut || !done {
				return best, move, done
			}
		}
	}
	longer, done := w.singular(ply, depth, old, last)
	if !done {
		return 0, 0, false
	}
	return w.searchMoves(ply, depth, alpha, beta, old.move, last, longer)
}

// estimate returns the evaluation, or the table's score if that is a tighter bound.
func (w *worker) estimate(eval int, old ttEntry) int {
	if old.bound == Exact || old.bound == LowerBound && old.score > eval || old.bound == UpperBound && old.score < eval {
		return min(max(old.score, -MaxEval), MaxEval)
	}
	return eval
}

// moveLoop is the state of the loop over the moves of a node.
type moveLoop struct {
	ply, depth, alpha, beta int

	first, last game.Move // the table's move; the opponent's
	longer      int       // plies by which the first move is extended, if it is the table's
	ordered     bool      // the moves from here on are in their final order

	best int
	move game.Move // the best; zero if none was searched
}

// newLoop begins the loop over the moves of a node.
func (w *worker) newLoop(ply, depth, alpha, beta int, first, last game.Move, longer int) moveLoop {
	return moveLoop{
		ply: ply, depth: depth, alpha: alpha, beta: beta, first: first, last: last, longer: longer,
		ordered: w.tuning.OrderDepth == 0 || depth < w.tuning.OrderDepth, best: math.MinInt,
	}
}

// searchMoves searches the moves of a node and returns the score of the best. It extends the
// first move, if it is the table's, by longer plies. Moves that another thread is searching
// come last. It is not done if the search was stopped or unwinds.
func (w *worker) searchMoves(ply, depth, alpha, beta int, first, last game.Move, longer int) (best int, move game.Move, done bool) {
	p := w.pos[ply]
	moves, values := w.generate(ply)
	w.score(p, ply, moves, values, first, last)
	w.noisyFirst[ply] = first != 0 && w.know.Noisy != nil && w.know.Noisy(p, first)
	b := w.newLoop(ply, depth, alpha, beta, first, last, longer)
	w.later[ply] = w.later[ply][:0]
	for n := 0; n < len(moves)+len(w.later[ply]); n++ {
		i, again := n, n >= len(moves)
		if again {
			i = w.later[ply][n-len(moves)]
		} else {
			w.choose(&b, moves, values, i)
		}
		m := moves[i]
		if m == w.except[ply] {
			continue
		}
		if n > 0 && w.finished(ply) {
			return 0, 0, false
		}
		if i > 0 && !again && w.searchedElsewhere(ply, depth, m) {
			w.later[ply] = append(w.later[ply], i)
			continue
		}
		cut, ok := w.searchMove(&b, m, i, values[i])
		if cut {
			w.reward(p, ply, depth, last, moves[:i+1])
		}
		if cut || !ok {
			return b.best, b.move, ok
		}
	}
	return b.best, b.move, true
}

// searchedElsewhere reports whether another thread is searching a move.
func (w *worker) searchedElsewhere(ply, depth int, m game.Move) bool {
	return w.busy != nil && depth >= busyDepth && w.busy.Searching(NewMoveKey(w.tableKey(ply), uint64(m), depth))
}

// searchMove searches the move of index i, unless it is pruned. cut reports a beta cutoff; ok is
// false if the search was stopped.
func (w *worker) searchMove(b *moveLoop, m game.Move, i int, value int32) (cut, ok bool) {
	ply, depth := b.ply, b.depth
	if w.know.Threat != nil {
		w.danger[ply+1] = w.know.Threat(w.pos[ply], m)
	} else {
		w.danger[ply+1] = w.inDanger(w.play(ply, m))
	}
	if b.best > -MaxEval && ply > 0 && (w.lateMovePruned(ply, depth, i, value) || w.futileMove(ply, depth, b.alpha, m, value)) {
		return false, true
	}
	if w.know.Threat != nil {
		w.play(ply, m)
	}
	if b.best > -MaxEval && ply > 0 && w.futileAfter(ply, depth, b.alpha, value) {
		return false, true
	}
	w.played[ply] = m
	before, more := w.nodes, 0
	if i == 0 && m == b.first {
		more = b.longer
	}
	score, ok := w.searchShared(ply, depth, more, b.alpha, b.beta, m, i, value)
	if !ok || score <= b.best {
		return false, ok
	}
	b.best, b.move = score, m
	if ply == 0 {
		w.bestNodes = w.nodes - before
	}
	if score > b.alpha {
		b.alpha = score
		w.updatePV(ply, m)
	}
	return score >= b.beta, true
}

// searchShared is pvSearch that tells the other threads about it, and uses the bound that one
// of them has stored for the move.
func (w *worker) searchShared(ply, depth, more, alpha, beta int, m game.Move, i int, value int32) (score int, ok bool) {
	if w.busy == nil || depth < busyDepth {
		return w.pvSearch(ply, depth+more, alpha, beta, m, i, value)
	}
	key := NewMoveKey(w.tableKey(ply), uint64(m), depth)
	if bound, ok := w.bounds.get(key); i > 0 && ok && bound <= alpha {
		return bound, true
	}
	w.busy.Begin(key)
	score, ok = w.pvSearch(ply, depth+more, alpha, beta, m, i, value)
	w.busy.End(key)
	if i > 0 && ok && score <= alpha {
		w.bounds.put(key, score)
	}
	return score, ok
}

// play plays a move of a ply, and prefetches what the table knows of the position
// after it.
func (w *worker) play(ply int, m game.Move) game.Position {
	child := w.pos[ply+1]
	child.CopyFrom(w.pos[ply])
	child.Play(m)
	key := child.Key()
	w.keys[ply+1] = key
	w.table.Prefetch(w.tableKey(ply + 1))
	return child
}

// generate fills the scratch buffers of a ply with the moves to search.
func (w *worker) generate(ply int) ([]game.Move, []int32) {
	p := w.pos[ply]
	if w.know.Candidates != nil {
		w.moves[ply] = w.know.Candidates(p, w.moves[ply][:0])
	} else {
		w.moves[ply] = p.Moves(w.moves[ply][:0])
	}
	if ply == 0 && len(w.skip) > 0 {
		w.moves[0] = w.unskipped(p, w.moves[0])
	}
	return w.moves[ply], w.scratchValues(ply)
}

// scratchValues returns the buffer for the values of the moves of a ply.
func (w *worker) scratchValues(ply int) []int32 {
	if len(w.values[ply]) < len(w.moves[ply]) {
		w.values[ply] = make([]int32, 2*len(w.moves[ply])) // more moves than ever before
	}
	return w.values[ply]
}

// unskipped removes the moves to skip. If no candidate is left, it uses the other legal
// moves.
func (w *worker) unskipped(p game.Position, moves []game.Move) []game.Move {
	skipped := func(m game.Move) bool { return slices.Contains(w.skip, m) }
	if moves = slices.DeleteFunc(moves, skipped); len(moves) == 0 {
		moves = slices.DeleteFunc(p.Moves(moves), skipped)
	}
	return moves
}

// pvSearch searches the played move: the first with the full window, others with a null window
// and, if late, a reduced depth. It searches again if the result requires that.
func (w *worker) pvSearch(ply, depth, alpha, beta int, m game.Move, i int, value int32) (score int, ok bool) {
	cut := w.cut[ply]
	if i == 0 {
		w.cut[ply+1] = beta-alpha == 1 && !cut
		return w.reply(ply, depth-1, alpha, beta, m)
	}
	less := w.reduction(ply, depth, beta-alpha, i, value)
	w.cut[ply+1] = less > 0 || !cut
	score, ok = w.reply(ply, depth-1-less, alpha, alpha+1, m)
	if ok && less > 0 && score > alpha {
		w.cut[ply+1] = !cut
		score, ok = w.reply(ply, depth-1, alpha, alpha+1, m)
	}
	if ok && score > alpha && score < beta {
		w.cut[ply+1] = false
		score, ok = w.reply(ply, depth-1, alpha, beta, m)
	}
	return score, ok
}

// reply searches the position after a move and returns its score for the side that moved,
// which may also move next.
func (w *worker) reply(ply, depth, alpha, beta int, m game.Move) (score int, ok bool) {
	if w.pos[ply+1].Turn() == w.pos[ply].Turn() {
		return w.node(ply+1, depth, alpha, beta, m)
	}
	score, ok = w.node(ply+1, depth, -beta, -alpha, m)
	return -score, ok
}

// updatePV updates the principal variation of a ply.
func (w *worker) updatePV(ply int, m game.Move) {
	w.pv[ply][0] = m
	n := copy(w.pv[ply][1:], w.pv[ply+1][:w.length[ply+1]])
	w.length[ply] = n + 1
}
