package engine

import (
	"math"

	"quintet/game"
)

// evaluator replaces the random games of an MCTS by the evaluation of a game:
//
//   - a simulation ends at once (early playout termination), with the score of a quiescence
//     search, which the solver trusts if it is proved;
//   - the evaluation of a new node counts as its first result and as a progressive bias
//     (Chaslot and others, "Progressive strategies for Monte-Carlo tree search", 2008);
//   - selection mixes results with the minimax of the evaluations in the tree (Lanctot,
//     Winands, Pepels and Sturtevant, "Monte Carlo tree search with heuristic evaluations
//     using implicit minimax backups", 2014).
type evaluator struct {
	know   Knowledge
	worker *worker       // for quiescence search
	child  game.Position // scratch
}

// The constants of selection, chosen by matches in Lines of Action.
const (
	evalExploration = 0.08
	evalBias        = 0.5
	evalMinimax     = 0.5 // share of the minimax in what a move is worth
)

// evalScale is the score at which a side is expected to win ten games to one.
const evalScale = 400

// evalMegabytes is the size of the table of the quiescence search.
const evalMegabytes = 4

// NewMCTSWithEval returns a search guided by the evaluation of a game. It is deterministic.
func NewMCTSWithEval(k Knowledge) *MCTS { return &MCTS{eval: &evaluator{know: k}} }

func (e *evaluator) begin(p Position, r *Run) {
	if e.worker == nil {
		e.worker = newWorker(e.know, NewTable(evalMegabytes), p.Position, 0)
		e.child = p.Clone()
	}
	e.worker.table.NextSearch()
	e.worker.run = r
}

// expected returns the expected result at a score, 0 to 1.
func expected(score int) float64 {
	switch {
	case score > MaxEval:
		return 1
	case score < -MaxEval:
		return 0
	}
	return 1 / (1 + math.Pow(10, -float64(score)/evalScale))
}

// judge evaluates the new children of a position.
func (e *evaluator) judge(p game.Position, children []treeNode) {
	for i := range children {
		n := &children[i]
		e.child.CopyFrom(p)
		e.child.Play(n.move)
		if r := e.child.Result(); r.Over() {
			n.prior = float32(value(r, n.mover))
			n.minimax = n.prior
			n.setTerminal(r)
			continue
		}
		n.prior = float32(n.result(e.child, e.know.Eval(e.child)))
		n.minimax = n.prior
	}
}

// result returns the expected result of the node's position for its mover, by a score for the
// side to move.
func (n *treeNode) result(p game.Position, score int) float64 {
	if p.Turn() != n.mover {
		score = -score
	}
	return expected(score)
}

// choose returns the child to explore, not one that is proved to lose.
func (e *evaluator) choose(visits uint32, children []treeNode) (best uint32) {
	most, width := math.Inf(-1), evalExploration*math.Sqrt(math.Log(float64(visits+1)))
	for i := range children {
		n := &children[i]
		if n.proof == provedLoss {
			continue
		}
		visits, prior := float64(n.visits), float64(n.prior)
		mean := (n.won + prior) / (visits + 1)
		hope := mean + evalMinimax*(float64(n.minimax)-mean) +
			width/math.Sqrt(visits+1) + evalBias*prior/(visits-n.won+1)
		if hope > most {
			best, most = uint32(i), hope
		}
	}
	return best
}

// simulate returns the expected result of a node's position for the first side, by a
// quiescence search.
func (e *evaluator) simulate(p game.Position, n *treeNode) float64 {
	if r := p.Result(); r.Over() {
		n.setTerminal(r)
		return value(r, game.First)
	}
	w := e.worker
	w.pos[0].CopyFrom(p)
	w.keys[0], w.danger[0] = p.Key(), w.inDanger(p)
	score, done := w.quiescence(0, -Won, Won)
	if !done { // the search ends
		score = 0
	}
	size := max(score, -score)
	if size > MaxEval {
		n.prove(provedWin, (score > 0) == (p.Turn() == n.mover), Won-size)
	}
	result := n.result(p, score)
	if n.minimax = float32(result); n.mover != game.First {
		return 1 - result
	}
	return result
}
