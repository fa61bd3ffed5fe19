package engine

import "quintet/game"

// How deep ProbCut searches.
const (
	probCutDepth = 5 // the least depth of a node
	probCutLess  = 4 // plies by which the search of a noisy move is shallower than the node
)

// probCut ends the search of a node with an empty window if a shallower search finds a noisy
// move better than beta by Tuning.ProbCut: then a deep search will hardly find less than
// beta. (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995;
// with captures and a fixed margin, as chess programs use it.) cut reports whether it did. It
// is not done if the search was stopped.
func (w *worker) probCut(ply, depth, beta int, old ttEntry) (score int, move game.Move, cut, done bool) {
	over := beta + w.tuning.ProbCut
	if w.tuning.ProbCut == 0 || depth < probCutDepth || max(beta, -beta)+w.tuning.ProbCut >= MaxEval ||
		old.bound != NoBound && old.depth >= depth-probCutLess+1 && old.score < over {
		return 0, 0, false, true
	}
	p, stand := w.pos[ply], w.eval(ply)
	moves, values := w.noisy(ply, false, old.move)
	for i := range moves {
		swap(moves, values, i, first(values[:len(moves)], i))
		m := moves[i]
		if stand+w.know.Gain(p, m) < over {
			continue
		}
		if score, done = w.probe(ply, depth-probCutLess, over, m); !done || score >= over {
			return score, m, done, done
		}
	}
	return 0, 0, false, true
}

// probe searches a noisy move with an empty window below beta: with the quiescence search,
// and to the depth if that reaches beta.
func (w *worker) probe(ply, depth, beta int, m game.Move) (score int, done bool) {
	w.played[ply] = m
	w.play(ply, m)
	if score, done = w.quietReply(ply, beta-1, beta); !done || score < beta {
		return score, done
	}
	w.cut[ply+1] = false
	return w.reply(ply, depth, beta-1, beta, m)
}
