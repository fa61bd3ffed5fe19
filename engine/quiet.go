package engine

import "quintet/game"

// quiescence is the quiescence search: it returns the score of standing pat or of the best noisy
// move. In danger it may not stand pat, and searches all moves.
func (w *worker) quiescence(ply, alpha, beta int) (best int, done bool) {
	key := w.tableKey(ply)
	old := w.table.get(key, ply)
	if ply > 0 && !w.full && old.bound.Cuts(old.score, alpha, beta) {
		return old.score, true
	}
	first := alpha
	best, move, done := w.standPat(ply, alpha, beta, old)
	if done {
		w.table.put(key, ttEntry{move: move, score: best, bound: BoundOf(best, first, beta)}, ply)
	}
	return best, done
}

// standPat searches a quiescence node without a cutoff from the table.
func (w *worker) standPat(ply, alpha, beta int, old ttEntry) (best int, move game.Move, done bool) {
	p := w.pos[ply]
	danger := w.danger[ply] && ply < maxPly
	stand := ply - Won
	if !danger {
		stand = w.eval(ply)
		if w.know.Noisy == nil || stand >= beta || ply >= maxPly {
			return stand, old.move, true
		}
	}
	best, move = stand, old.move
	alpha = max(alpha, best)
	moves, values := w.noisy(ply, danger, old.move)
	for i := range moves {
		if danger {
			w.pick(p, moves, values, i)
		} else { // futile finds the moves that lose
			swap(moves, values, i, first(values[:len(moves)], i))
		}
		m := moves[i]
		if !danger && w.futile(p, m, stand, alpha) {
			continue
		}
		w.play(ply, m)
		score, ok := w.quietReply(ply, alpha, beta)
		if !ok {
			return 0, 0, false
		}
		if score > best {
			best, move = score, m
		}
		if alpha = max(alpha, score); alpha >= beta {
			break
		}
	}
	return best, move, true
}

// futile reports whether a noisy move loses, or wins too little to matter.
func (w *worker) futile(p game.Position, m game.Move, stand, alpha int) bool {
	if w.know.Gain == nil || alpha < -MaxEval {
		return false
	}
	gain := w.know.Gain(p, m)
	return gain < 0 || stand+gain+2*w.know.Margin <= alpha
}

// noisy fills the scratch buffers of a ply with the noisy moves, or with all in danger.
func (w *worker) noisy(ply int, danger bool, first game.Move) ([]game.Move, []int32) {
	p := w.pos[ply]
	if w.know.Tactics != nil && !danger {
		w.moves[ply] = w.know.Tactics(p, w.moves[ply][:0])
		values := w.scratchValues(ply)
		for i, m := range w.moves[ply] {
			values[i] = int32(w.know.Order(p, m))
			if m == first {
				values[i] = fromTable
			}
		}
		return w.moves[ply], values
	}
	moves, values := w.generate(ply)
	w.score(p, ply, moves, values, first, 0)
	if danger {
		return moves, values
	}
	n := 0
	for i, m := range moves {
		if !isQuiet(values[i]) {
			moves[n], values[n] = m, values[i]
			n++
		}
	}
	return moves[:n], values
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
		if score = w.know.final(p, r, ply+1); !same {
			score = -score
		}
		return score, true
	}
	w.danger[ply+1] = w.inDanger(p)
	if same {
		return w.quiescence(ply+1, alpha, beta)
	}
	score, ok = w.quiescence(ply+1, -beta, -alpha)
	return -score, ok
}
