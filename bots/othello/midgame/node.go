package midgame

// This file searches nodes: principal variation search with a transposition table, ProbCut
// (probcut.go), the endgame solver near the leaves, and splits among threads (team.go).

import (
	"math"
	"math/bits"

	"quintet/bots/othello/pattern"
	"quintet/games/othello"
)

// The solver takes over with solveAt empty cells, or with cutSolveAt in searches that apply
// ProbCut to endings: it saves more nodes there than the solver.
const (
	solveAt    = 12
	cutSolveAt = 10
)

// fromTable is the least depth of searches that use the table.
const fromTable = 3

// probCutsEndings reports whether ProbCut applies to boards with at most solveAt empty cells. In
// proofs it does not: the search with ProbCut comes before the exact one there, and a better guess
// of the score saves more than it costs (FFO 40 to 44 took 30 million positions an ending with
// such cuts, and 21 without).
func (t *thread) probCutsEndings() bool {
	return t.certainty < certainties-1 && !t.noProbCut && t.team.progress == nil
}

// node returns the score of a board, searched to a depth: exact between alpha
// and beta, a bound outside. A depth of all empty cells is the end of the game.
// It means nothing once the search is stopped.
func (t *thread) node(w *othello.Bitboards, depth, alpha, beta int) int {
	t.nodes++
	if t.stopped() {
		return 0
	}
	if w.Moves == 0 {
		other := w.Pass()
		if other.Moves == 0 {
			return final(w)
		}
		return -t.node(&other, depth, -beta, -alpha)
	}
	if depth <= 0 {
		return t.score(w)
	}
	empty := bits.OnesCount64(w.Empty())
	if depth >= empty && empty <= solveAt && !t.mustFinish {
		if !t.probCutsEndings() {
			return t.solve(w, alpha, beta)
		}
		if empty <= cutSolveAt {
			return t.probCutOrSolve(w, empty, alpha, beta)
		}
	}
	if depth < fromTable {
		if value, ok := t.probCut(w, depth, empty, alpha, beta); ok {
			return value
		}
		return t.shallow(w, depth, alpha, beta)
	}
	key := keyOf(w)
	old, _ := lookUp(t.table, key)
	if old.depth >= depth && old.certainty >= t.certainty {
		switch {
		case old.low >= beta || old.low == old.high:
			return old.low
		case old.high <= alpha:
			return old.high
		}
		alpha, beta = max(alpha, old.low), min(beta, old.high)
	}
	if value, ok := t.probCutByTable(&old, depth, empty, alpha, beta); ok {
		return value
	}
	if value, ok := t.probCut(w, depth, empty, alpha, beta); ok {
		return value
	}
	return t.searchMoves(w, key, &old, depth, empty, alpha, beta)
}

// score evaluates a board on which the side to move can move.
func (t *thread) score(w *othello.Bitboards) int {
	other := w.Pass()
	if t.plain != nil {
		return t.plain.score(w, other.Moves)
	}
	return t.eval.Eval(w.Own, w.Other, bits.OnesCount64(w.Moves), bits.OnesCount64(other.Moves))
}

// solve plays a board to its end.
func (t *thread) solve(w *othello.Bitboards, alpha, beta int) int {
	low, high := floorDiscs(alpha), -floorDiscs(-beta)
	before, left := t.solver.Nodes(), t.nodesLeft()
	value := t.solver.Bound(*w, low, high, left, &t.run.Stop, &t.halt)
	used := t.solver.Nodes() - before
	if t.nodes += used; used > left { // the value means nothing
		t.run.Stop.Store(true)
	}
	return value * pattern.Unit
}

// probCutOrSolve plays a board to its end unless ProbCut replaces that.
func (t *thread) probCutOrSolve(w *othello.Bitboards, empty, alpha, beta int) int {
	if empty >= fromEndCut {
		if value, ok := t.probCut(w, empty, empty, alpha, beta); ok {
			return value
		}
	}
	return t.solve(w, alpha, beta)
}

// nodesLeft returns how many more nodes the thread may visit if the others visit none.
func (t *thread) nodesLeft() uint64 {
	limit, nodes := t.limit, t.nodes
	if t.team.limit > 0 {
		limit, nodes = t.team.limit, t.team.nodes.Load()+t.nodes-t.published
	}
	if limit == 0 {
		return math.MaxUint64
	}
	return max(limit, nodes) - nodes
}

// floorDiscs returns points in whole discs, rounded down.
func floorDiscs(points int) int {
	const shift = 100
	return (points+shift*pattern.Unit)/pattern.Unit - shift
}

// shallow searches one or two plies, without the table.
func (t *thread) shallow(w *othello.Bitboards, depth, alpha, beta int) int {
	best, child := -infinite, &t.children[depth&3] // a variable of its own would be put on the heap
	for _, half := range [2]uint64{w.Moves & early, w.Moves &^ early} {
		for m := half; m != 0; m &= m - 1 {
			*child = w.Play(bits.TrailingZeros64(m))
			var value int
			if depth == 1 && child.Moves != 0 { // what node would do, without its checks
				t.nodes++
				value = -t.score(child)
			} else {
				value = -t.node(child, depth-1, -beta, -max(alpha, best))
			}
			if value > best {
				if best = value; best >= beta {
					return best
				}
			}
		}
	}
	return best
}

// early are the cells that are tried first where nothing better is known: all
// but those next to corners.
const early = ^uint64(0x42c300000000c342)

// searchMoves searches the moves of a board, stores its score and returns it.
func (t *thread) searchMoves(w *othello.Bitboards, key uint64, old *ttEntry, depth, empty, alpha, beta int) int {
	moves, known := t.moves(w, old, depth, empty)
	if depth >= 5 {
		if value, ok := t.enhancedCutoff(moves, depth, beta); ok {
			return value
		}
	}
	best, squares := t.moveLoop(moves, known, depth, empty, alpha, beta)
	if !t.stopped() {
		t.storeBounds(key, old, ttEntry{low: best, high: best, depth: depth, certainty: t.certainty, best: squares}, alpha, beta)
	}
	return best
}

// moveLoop searches moves until one reaches beta, alone or with other threads. It returns the
// best score, with the squares plus 1 of the best move and of the one that was best before it. If
// the table knows the first, the others are ordered only after that: it often reaches beta.
func (t *thread) moveLoop(moves []candidate, known bool, depth, empty, alpha, beta int) (best int, squares [2]int) {
	best = -infinite
	if !known {
		t.order(moves, depth, empty)
	}
	for i := range moves {
		if i == 1 && known {
			t.order(moves, depth, empty)
		}
		if i > 0 && t.canSplit(depth) {
			sp := &t.splitPoints[empty&63]
			*sp = splitPoint{depth: depth, certainty: t.certainty, moves: moves, next: i, alpha: alpha, beta: beta, best: best, squares: squares}
			t.split(sp)
			return sp.best, sp.squares
		}
		c := pick(moves, i)
		var value int
		if i == 0 {
			value = -t.node(&c.after, depth-1, -beta, -alpha)
		} else {
			value = t.scout(&c.after, depth, alpha, beta)
		}
		if value > best {
			best, squares = value, [2]int{int(c.square) + 1, squares[0]}
			if alpha = max(alpha, best); best >= beta {
				break
			}
		}
	}
	return best, squares
}

// scout returns the score of a move other than the first, which leads to the given board. It
// begins with a null window, because most such moves fail low.
func (t *thread) scout(w *othello.Bitboards, depth, alpha, beta int) int {
	value := -t.node(w, depth-1, -alpha-1, -alpha)
	if value > alpha && value < beta {
		value = -t.node(w, depth-1, -beta, -value)
	}
	return value
}

// storeBounds stores the score of a search between alpha and beta. It keeps the other bound of
// an old entry of the same depth and certainty.
func (t *thread) storeBounds(key uint64, old *ttEntry, k ttEntry, alpha, beta int) {
	same := old.depth == k.depth && old.certainty == k.certainty
	if k.low >= beta {
		k.high = infinite
		if same {
			k.high = max(old.high, k.low)
		}
	} else if k.high <= alpha {
		k.low = -infinite
		if same {
			k.low = min(old.low, k.high)
		}
		if old.best[0] != 0 {
			k.best = old.best
		}
	}
	if k.best[1] == 0 && old.best[0] != k.best[0] {
		k.best[1] = old.best[0]
	}
	store(t.table, key, k)
}

// enhancedCutoff looks for a move after which the table has a bound that fails high here
// (enhanced transposition cutoff: Plaat et al., "Exploiting graph properties of game trees",
// 1996).
func (t *thread) enhancedCutoff(moves []candidate, depth, beta int) (value int, ok bool) {
	for i := range moves {
		k, found := lookUp(t.table, keyOf(&moves[i].after))
		if found && k.depth >= depth-1 && k.certainty >= t.certainty && -k.high >= beta {
			return -k.high, true
		}
	}
	return 0, false
}

// stopped reports whether the search is to end.
func (t *thread) stopped() bool {
	if t.mustFinish {
		return false
	}
	if t.nodes-t.published >= publishNodes {
		t.publish()
	}
	return t.limit > 0 && t.nodes >= t.limit || t.halt.Load() || t.run.Stop.Load()
}

// publishNodes is after how many nodes a thread looks at the time and at how many nodes
// the others have visited.
const publishNodes = 1024

// publish adds the thread's nodes to those of the team. It stops the search if the time or
// the nodes of all are used up.
func (t *thread) publish() {
	more := t.nodes - t.published
	all := t.team.nodes.Add(more)
	t.published = t.nodes
	if t.team.progress != nil {
		t.team.progress.nodes.Add(more)
	}
	if t.run.Stopped(all) || t.team.limit > 0 && all >= t.team.limit {
		t.run.Stop.Store(true)
	}
}
