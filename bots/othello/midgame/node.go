package midgame

import (
	"math"
	"math/bits"

	"quintet/bots/othello/pattern"
	"quintet/games/othello"
)

// The solver takes over with solveAt empty cells, or with cutSolveAt in searches that cut
// endings: ProbCut then saves more nodes than the solver.
const (
	solveAt    = 12
	cutSolveAt = 10
)

// cutsEndings reports whether boards with at most solveAt empty cells are cut. In proofs they
// are not: the search that cuts comes before the exact one there, and a better guess of the
// score saves more than it costs (FFO 40 to 44: 30 million positions an ending with such
// cuts, 21 without).
func (t *thread) cutsEndings() bool {
	return t.certainty < certainties-1 && !t.sure && t.team.progress == nil
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
	if depth >= empty && empty <= solveAt && !t.first {
		if !t.cutsEndings() {
			return t.solve(w, alpha, beta)
		}
		if empty <= cutSolveAt {
			return t.cutOrSolve(w, empty, alpha, beta)
		}
	}
	if depth <= 2 {
		if value, ok := t.cut(w, depth, empty, alpha, beta); ok {
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
	if value, ok := t.cutByTable(&old, depth, empty, alpha, beta); ok {
		return value
	}
	if value, ok := t.cut(w, depth, empty, alpha, beta); ok {
		return value
	}
	return t.branch(w, key, &old, depth, empty, alpha, beta)
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

// cutOrSolve plays a board to its end unless it is cut.
func (t *thread) cutOrSolve(w *othello.Bitboards, empty, alpha, beta int) int {
	if empty >= fromEndCut {
		if value, ok := t.cut(w, empty, empty, alpha, beta); ok {
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

// shallow searches one or two plies without a table.
func (t *thread) shallow(w *othello.Bitboards, depth, alpha, beta int) int {
	best, child := -beyond, &t.near[depth&3] // a variable of its own would be put on the heap
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

// branch searches the moves of a board and returns the score of the best.
func (t *thread) branch(w *othello.Bitboards, key uint64, old *known, depth, empty, alpha, beta int) int {
	moves := t.moves(w, old, depth, empty)
	if depth >= 5 {
		if value, ok := t.enhanced(moves, depth, beta); ok {
			return value
		}
	}
	best, squares := t.search(moves, depth, empty, alpha, beta)
	if !t.stopped() {
		t.keep(key, old, known{low: best, high: best, depth: depth, certainty: t.certainty, best: squares}, alpha, beta)
	}
	return best
}

// search returns the best score of the moves, with the squares plus 1 of the best move and
// the one that was best before it.
func (t *thread) search(moves []candidate, depth, empty, alpha, beta int) (best int, squares [2]int) {
	best = -beyond
	floor := alpha
	for i := range moves {
		if i > 0 && t.shares(depth) {
			sp := &t.splits[empty&63]
			*sp = split{depth: depth, certainty: t.certainty, moves: moves, next: i, beta: beta, best: best, floor: floor, squares: squares}
			t.share(sp)
			return sp.best, sp.squares
		}
		c := pick(moves, i)
		var value int
		if i == 0 {
			value = -t.node(&c.after, depth-1, -beta, -floor)
		} else {
			value = t.younger(c, depth, floor, beta)
		}
		if value > best {
			best, squares = value, [2]int{int(c.square) + 1, squares[0]}
			if floor = max(floor, best); best >= beta {
				break
			}
		}
	}
	return best, squares
}

// younger returns the score of a move other than the first: most are worse than floor.
func (t *thread) younger(c *candidate, depth, floor, beta int) int {
	value := -t.node(&c.after, depth-1, -floor-1, -floor)
	if value > floor && value < beta {
		value = -t.node(&c.after, depth-1, -beta, -value)
	}
	return value
}

// keep stores what a search between alpha and beta has found, with what was
// known of the same depth and certainty before.
func (t *thread) keep(key uint64, old *known, k known, alpha, beta int) {
	same := old.depth == k.depth && old.certainty == k.certainty
	if k.low >= beta {
		k.high = beyond
		if same {
			k.high = max(old.high, k.low)
		}
	} else if k.high <= alpha {
		k.low = -beyond
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

// enhanced looks for a move after which the table already knows enough.
func (t *thread) enhanced(moves []candidate, depth, beta int) (value int, ok bool) {
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
	if t.first {
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
