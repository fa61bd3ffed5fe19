package engine

import "quintet/game"

// Maximum depths of pruning near the horizon.
const (
	pruneDepth = 7 // by the evaluation and by the number of the move
	razorDepth = 2
	gainDepth  = 6 // by what the move loses
)

// prune ends the search of a node at an empty window whose evaluation is far
// from it; cut reports whether it did. It is not done if the search was stopped.
func (w *worker) prune(ply, depth, alpha, beta int, last game.Move) (score int, cut, done bool) {
	eval, t := w.evals[ply], &w.tuning
	if beta > MaxEval || alpha < -MaxEval {
		return 0, false, true // a proof is asked for
	}
	better := 0
	if w.improving(ply) {
		better = t.ReverseImproving
	}
	if depth <= pruneDepth && eval-t.ReverseMargin*depth+better >= beta {
		return eval, true, true // even a setback for each ply leaves enough
	}
	if depth <= razorDepth && eval+t.RazorMargin*(1+2*depth) < alpha {
		if score, done = w.quiescence(ply, alpha, beta); !done || score <= alpha {
			return score, done, done
		}
	}
	if depth >= 3 && eval >= beta && last != game.Pass && w.know.Null != nil && w.know.Null(w.pos[ply]) {
		return w.nullMove(ply, depth, beta, eval)
	}
	return 0, false, true
}

// nullMove lets the side to move pass. If the position is still good enough, it
// would be so with a move (Beal, "A generalised quiescence search algorithm",
// 1990; the reduced depth is Donninger's, 1993).
func (w *worker) nullMove(ply, depth, beta, eval int) (score int, cut, done bool) {
	child := w.play(ply, game.Pass)
	w.played[ply] = game.Pass
	w.cut[ply+1] = !w.cut[ply]
	w.danger[ply+1] = w.inDanger(child)
	score, done = w.node(ply+1, depth-1-w.nullReduction(depth, beta, eval), -beta, -beta+1, game.Pass)
	if score = -score; score > MaxEval {
		score = beta // a win that a pass finds is not proved
	}
	return score, score >= beta, done
}

// nullReduction returns by how much a null move is searched less deep.
func (w *worker) nullReduction(depth, beta, eval int) int {
	t := &w.tuning
	return (t.NullBase+t.NullDepth*depth)/100 + min((eval-beta)/t.NullEval, 3)
}

// improving reports whether the evaluation is better than at the side's last
// move.
func (w *worker) improving(ply int) bool {
	return ply >= 2 && w.evals[ply] != unclear && w.evals[ply] > w.evals[ply-2]
}

// lateMovePruned implements late move pruning: it reports whether the quiet move just played can be
// skipped, because enough moves of a node near the horizon have been searched. Moves that
// endanger the opponent are never skipped: that cost 70 Elo in chess.
func (w *worker) lateMovePruned(ply, depth, i int, value int32) bool {
	if w.evals[ply] == unclear || w.danger[ply+1] || depth > pruneDepth || !isQuiet(value) || value >= replyMove {
		return false
	}
	t := &w.tuning
	many := t.LateBase + t.LateDepth*depth*depth
	if !w.improving(ply) {
		many = many * t.LateWorsening / 100
	}
	return i >= many/10
}

// futileMove reports whether a move near the horizon, just played, need not be
// searched: it would have to change the evaluation by much, or it loses what it
// moves.
func (w *worker) futileMove(ply, depth, alpha int, m game.Move, value int32) bool {
	if w.evals[ply] == unclear || w.danger[ply+1] || alpha < -MaxEval || value >= replyMove {
		return false
	}
	t := &w.tuning
	if isQuiet(value) && depth <= pruneDepth && w.evals[ply]+t.FutilityBase+t.FutilityMargin*depth <= alpha {
		return true
	}
	// pick has found the gain of the noisy moves.
	return depth <= gainDepth && w.know.Gain != nil && !unchecked(value) && w.know.Gain(w.pos[ply], m) < -w.know.Margin*depth
}

// futileAfter is futileMove by the evaluation after the quiet move just played, if that is known.
func (w *worker) futileAfter(ply, depth, alpha int, value int32) bool {
	t := &w.tuning
	if t.AfterMargin == 0 || w.evals[ply] == unclear || w.danger[ply+1] || alpha < -MaxEval || depth > pruneDepth ||
		!isQuiet(value) || value >= replyMove || w.pos[ply+1].Turn() == w.pos[ply].Turn() {
		return false
	}
	eval, ok := w.cache.get(w.keys[ply+1])
	return ok && -eval+t.AfterBase+t.AfterMargin*depth <= alpha
}

// singularDepth is the minimum depth for singular extensions.
const singularDepth = 7

// singular returns the extension of the table's move: one ply if a shallower search finds
// all other moves worse by a margin (Anantharaman, Campbell and Hsu, "Singular extensions",
// 1990; compared with the table's score, as is common).
func (w *worker) singular(ply, depth int, old ttEntry, last game.Move) (longer int, done bool) {
	if depth < singularDepth || ply == 0 || w.full || w.danger[ply] || w.know.Margin == 0 || old.move == 0 || old.bound == UpperBound ||
		old.depth < depth-3 || max(old.score, -old.score) > MaxEval {
		return 0, true
	}
	below := old.score - w.tuning.SingularMargin*depth/10
	w.except[ply] = old.move
	score, _, done := w.searchMoves(ply, (depth-1)/2, below-1, below, 0, last, 0)
	w.except[ply] = 0
	w.length[ply] = 0
	if done && score < below {
		return 1, true
	}
	return 0, done
}

// reduction returns by how much a move, just played, is searched less deep.
func (w *worker) reduction(ply, depth, window, i int, value int32) int {
	if depth < 3 || i < 3 || w.full || !isQuiet(value) && value > 0 {
		return 0
	}
	t := &w.tuning
	less := int(w.reductions[min(depth, 63)][min(i, 63)])
	if window > 1 || w.danger[ply+1] || value >= replyMove {
		less -= t.ReducePV
	}
	if w.danger[ply] {
		less -= t.ReduceDanger
	}
	if w.evals[ply] != unclear && !w.improving(ply) {
		less += t.ReduceWorsening
	}
	if isQuiet(value) && w.noisyFirst[ply] {
		less += t.ReduceNoisy
	}
	if window == 1 && w.cut[ply] {
		less += t.ReduceCut
	}
	if isQuiet(value) && value < replyMove {
		less -= int(value) * t.ReduceHistory / historyLimit
	}
	return min(max(less/100, 0), depth-2)
}
