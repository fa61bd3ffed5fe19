package engine

import (
	"math"
	"slices"

	"quintet/game"
)

// node returns the score of the position at a ply, searched to a depth: exact
// between alpha and beta, a bound outside. It is not done if the search was
// stopped; the score then means nothing, but at the root it is that of the best
// move that was finished, if w.length says that there is one.
func (w *worker) node(ply, depth, alpha, beta int, last game.Move) (score int, done bool) {
	p := w.pos[ply]
	w.length[ply] = 0
	w.nodes++
	if ply > 0 && w.stopped() {
		return 0, false
	}
	if r := p.Result(); r.Over() {
		return result(r, p.Turn(), ply), true
	}
	key := p.Key()
	if ply > 0 && w.repeated(key) {
		return result(game.StoppedResult(p), p.Turn(), ply), true
	}
	if ply >= maxPly {
		return w.know.Eval(p), true
	}
	if depth <= 0 {
		return w.quiet(ply, alpha, beta)
	}
	old := w.table.get(key, ply)
	if ply > 0 && old.depth >= depth && old.cuts(alpha, beta) {
		return old.score, true
	}
	w.keys = append(w.keys, key)
	best, move, done := w.branch(ply, depth, alpha, beta, old.move, last)
	w.keys = w.keys[:len(w.keys)-1]
	if done {
		w.table.put(key, found{move: move, score: best, depth: depth, bound: boundOf(best, alpha, beta)}, ply)
	}
	return best, done
}

// cuts reports whether what is known spares the search.
func (f found) cuts(alpha, beta int) bool {
	switch f.bound {
	case exact:
		return true
	case atLeast:
		return f.score >= beta
	case atMost:
		return f.score <= alpha
	}
	return false
}

func boundOf(score, alpha, beta int) bound {
	switch {
	case score >= beta:
		return atLeast
	case score <= alpha:
		return atMost
	}
	return exact
}

// branch searches the moves of a node and returns the score of the best.
func (w *worker) branch(ply, depth, alpha, beta int, first, last game.Move) (best int, move game.Move, done bool) {
	p := w.pos[ply]
	moves, values := w.list(ply)
	w.score(p, ply, moves, values, first, last)
	best = math.MinInt
	for i := range moves {
		m := pick(moves, values, i)
		score, ok := w.try(ply, depth, alpha, beta, m, i, values[i])
		if !ok {
			return best, move, false
		}
		if score <= best {
			continue
		}
		best, move = score, m
		if score > alpha {
			alpha = score
			w.keep(ply, m)
		}
		if score >= beta {
			w.reward(p, ply, depth, last, moves[:i+1])
			break
		}
	}
	return best, move, true
}

// list fills the room of a ply with the moves to search.
func (w *worker) list(ply int) ([]game.Move, []int32) {
	p := w.pos[ply]
	if w.know.Candidates != nil {
		w.moves[ply] = w.know.Candidates(p, w.moves[ply][:0])
	} else {
		w.moves[ply] = p.Moves(w.moves[ply][:0])
	}
	if ply == 0 && len(w.skip) > 0 {
		w.moves[0] = w.unskipped(p, w.moves[0])
	}
	if len(w.values[ply]) < len(w.moves[ply]) {
		w.values[ply] = make([]int32, 2*len(w.moves[ply])) // a wider game than any before
	}
	return w.moves[ply], w.values[ply]
}

// unskipped leaves out the moves to skip. If these are all candidates, the other
// legal moves take their place.
func (w *worker) unskipped(p game.Position, moves []game.Move) []game.Move {
	skipped := func(m game.Move) bool { return slices.Contains(w.skip, m) }
	if moves = slices.DeleteFunc(moves, skipped); len(moves) == 0 {
		moves = slices.DeleteFunc(p.Moves(moves), skipped)
	}
	return moves
}

// try searches one move: the first with the whole window, the others with an
// empty one, late ones less deep, and again where that turns out too little.
func (w *worker) try(ply, depth, alpha, beta int, m game.Move, i int, value int32) (score int, ok bool) {
	child := w.pos[ply+1]
	child.CopyFrom(w.pos[ply])
	child.Play(m)
	if i == 0 {
		return w.reply(ply, depth-1, alpha, beta, m)
	}
	less := reduction(depth, i, value)
	if w.full {
		less = 0
	}
	score, ok = w.reply(ply, depth-1-less, alpha, alpha+1, m)
	if ok && less > 0 && score > alpha {
		score, ok = w.reply(ply, depth-1, alpha, alpha+1, m)
	}
	if ok && score > alpha && score < beta {
		score, ok = w.reply(ply, depth-1, alpha, beta, m)
	}
	return score, ok
}

// reduction returns by how much a late quiet move is searched less deep.
func reduction(depth, i int, value int32) int {
	switch {
	case depth < 3 || i < 4 || value >= replyMove:
		return 0
	case i < 12 || depth < 6:
		return 1
	}
	return 2
}

// reply searches the position after a move, and returns its score for the side
// that made it, who may also be the side to move next.
func (w *worker) reply(ply, depth, alpha, beta int, m game.Move) (score int, ok bool) {
	if w.pos[ply+1].Turn() == w.pos[ply].Turn() {
		return w.node(ply+1, depth, alpha, beta, m)
	}
	score, ok = w.node(ply+1, depth, -beta, -alpha, m)
	return -score, ok
}

// keep makes the move and the line after it the line of the ply.
func (w *worker) keep(ply int, m game.Move) {
	w.pv[ply][0] = m
	n := copy(w.pv[ply][1:], w.pv[ply+1][:w.length[ply+1]])
	w.length[ply] = n + 1
}

// quiet plays noisy moves out and returns the score of standing still or of
// the best of them.
func (w *worker) quiet(ply, alpha, beta int) (score int, done bool) {
	p := w.pos[ply]
	best := w.know.Eval(p)
	if w.know.Noisy == nil || best >= beta || ply >= maxPly {
		return best, true
	}
	alpha = max(alpha, best)
	moves, values := w.list(ply)
	w.score(p, ply, moves, values, 0, 0)
	for i := range moves {
		m := pick(moves, values, i)
		if values[i] < noisyMove/2 {
			break
		}
		child := w.pos[ply+1]
		child.CopyFrom(p)
		child.Play(m)
		score, ok := w.quietReply(ply, alpha, beta)
		if !ok {
			return 0, false
		}
		best = max(best, score)
		if alpha = max(alpha, score); alpha >= beta {
			break
		}
	}
	return best, true
}

func (w *worker) quietReply(ply, alpha, beta int) (score int, ok bool) {
	w.nodes++
	w.length[ply+1] = 0
	if w.stopped() {
		return 0, false
	}
	p := w.pos[ply+1]
	same := p.Turn() == w.pos[ply].Turn()
	if r := p.Result(); r.Over() {
		return result(r, w.pos[ply].Turn(), ply+1), true
	}
	if same {
		return w.quiet(ply+1, alpha, beta)
	}
	score, ok = w.quiet(ply+1, -beta, -alpha)
	return -score, ok
}

// repeated reports whether a key has come before: once in the line that is
// looked at, which can then be repeated at will, or as often in the history as
// the rule still allows.
func (w *worker) repeated(key uint64) bool {
	if w.repeat == 0 {
		return false
	}
	seen := 0
	for i := len(w.keys) - 1; i >= 0; i-- {
		if w.keys[i] != key {
			continue
		}
		if seen++; i >= w.before || seen >= w.repeat-1 {
			return true
		}
	}
	return false
}
