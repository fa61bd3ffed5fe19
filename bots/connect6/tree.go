package connect6

import (
	"quintet/engine"
	"quintet/game"
)

// maxTurns is the maximum length of a line.
const maxTurns = 40

// Settings of the search of turns.
const (
	rootWidth  = 48 // pairs at the root
	innerWidth = 36 // pairs elsewhere
	leafWidth  = 24 // pairs in the last turn
	freeStones = 8  // second stones if the first must stop a threat
	freeThreat = 16 // more of them, which make a threat
	leafThreat = 4  // in the last turn
	mostForced = 4  // forced answers searched beyond the depth

	innerThreats = 4   // depth of the threat search inside the tree, in turns
	innerBudget  = 100 // its node limit
	leafBudget   = 20  // its node limit in the last turn
	replyThreats = 10  // depth of the threat search after a root turn, in turns
	replyBudget  = 300 // its node limit per turn of depth
)

// tree is the search of turns: principal variation search with a turn as a ply.
type tree struct {
	board   board
	threats *threats
	pairs   pairs
	table   *engine.Table

	busy *engine.Busy // nil for a single thread

	left    int    // stones to place at the root
	rootKey uint64 // added to the root's key in the table
	nodes   uint64
	limit   uint64 // 0 for none
	halt    func(nodes uint64) bool
	stopped bool

	scratch [maxTurns + 1]turnScratch
	pv      [maxTurns + 2][maxTurns + 2]pair
	length  [maxTurns + 2]int
	killer  [maxTurns + 1]pair
	root    pairList // the turns of the root
	all     bool     // whether root has every turn that does not lose at once

	counters pairList // scratch of defend
}

// turnScratch is the scratch memory of a ply.
type turnScratch struct {
	moves pairList
	later [maxPairs]uint8 // indices of turns that another thread is searching
	must  answers
	zone  [maxZone]cell
}

// placed returns the number of stones placed before a turn.
func (t *tree) placed(ply int) int {
	if ply == 0 {
		return 0
	}
	return t.left + 2*(ply-1)
}

// over reports whether the search must end. It checks only periodically.
func (t *tree) over() bool {
	return t.stopped || (t.nodes&63 == 0 || t.limit > 0 && t.nodes+t.threats.nodes >= t.limit) && t.mustEnd()
}

// mustEnd checks whether the search must end.
func (t *tree) mustEnd() bool {
	t.stopped = t.stopped || t.limit > 0 && t.nodes+t.threats.nodes >= t.limit || t.halt(t.nodes+t.threats.nodes)
	return t.stopped
}

// find looks for a win by threats for a side with left stones to place. It returns the
// number of turns, or -1.
func (t *tree) find(s game.Side, left, turns int, budget uint64) int {
	t.threats.most = ^uint64(0)
	if t.limit > 0 {
		t.threats.most = max(t.limit, t.nodes) - t.nodes
	}
	return t.threats.find(s, left, turns, budget)
}

// node returns the score of a position for the side to move: exact between alpha and beta,
// otherwise a bound. It is meaningless once the search is stopped.
func (t *tree) node(s game.Side, ply, depth, alpha, beta int) int {
	b := &t.board
	t.length[ply] = 0
	if t.over() {
		return 0
	}
	t.nodes++
	switch {
	case b.hot[s] > 0 && ply > 0:
		return t.completes(s, ply)
	case b.empty == 0:
		return 0
	case ply >= maxTurns, depth <= 0 && b.hot[s^1] == 0:
		return t.eval(s)
	}
	r := &t.scratch[ply]
	b.answer(s^1, &r.must)
	switch {
	case r.must.stones == 3:
		return t.placed(ply+1) + 2 - engine.Won
	case depth <= 0 && (r.must.stones == 1 || depth <= -mostForced):
		return t.eval(s) // too quiet to search deeper
	}
	key := b.key ^ sideKey(s)
	if ply == 0 {
		key += t.rootKey
	}
	old := lookUp(t.table, key, t.placed(ply))
	if ply > 0 && old.depth >= depth && old.bound.Cuts(old.score, alpha, beta) {
		return old.score
	}
	if ply > 0 && depth > 0 {
		if score := t.threatWin(s, ply, depth); score > 0 {
			return score
		}
	}
	best, move := t.searchTurns(s, ply, depth, alpha, beta, old.best)
	if !t.stopped {
		store(t.table, key, ttEntry{move, best, max(depth, 0), engine.BoundOf(best, alpha, beta)}, t.placed(ply))
	}
	return best
}

// completes records a win in one turn.
func (t *tree) completes(s game.Side, ply int) int {
	t.length[ply] = 1
	t.pv[ply][0] = t.board.winner(s)
	if t.pv[ply][0].second == none {
		return engine.Won - t.placed(ply) - 1
	}
	return engine.Won - t.placed(ply) - 2
}

// threatWin looks for a win by threats and returns its score, or 0.
func (t *tree) threatWin(s game.Side, ply, depth int) int {
	most, budget := innerThreats, uint64(innerBudget)
	switch {
	case ply == 1:
		most, budget = replyThreats, replyBudget*uint64(depth)
	case depth == 1:
		budget = leafBudget
	}
	turns := t.find(s, 2, most, budget)
	if turns < 0 {
		return 0
	}
	return engine.Won - t.placed(ply) - 4*turns - 2
}

// eval scores a position in which neither side wins in one turn.
func (t *tree) eval(s game.Side) int {
	w := &t.board.worth
	score := int(w[s])*9/5 - int(w[s^1])
	return min(max(score, 1-engine.MaxEval), engine.MaxEval-1)
}

// searchTurns searches the turns of a position and returns the best score and turn.
func (t *tree) searchTurns(s game.Side, ply, depth, alpha, beta int, first pair) (best int, move pair) {
	r := &t.scratch[ply]
	var all bool
	if ply == 0 {
		r.moves, all = t.root, t.all
	} else {
		all = t.generate(s, ply, depth, r)
	}
	t.order(r, first, t.killer[ply])
	next := depth - 1
	if r.must.stones == 2 && depth > 0 {
		next = depth // forced answers do not reduce the depth
	}
	best = -engine.Won - 1
	later := r.later[:0]
	for n := 0; n < r.moves.n+len(later) && !t.stopped; n++ {
		i := n
		if n >= r.moves.n {
			i = int(later[n-r.moves.n])
		}
		if n > 0 && n < r.moves.n && t.searchedElsewhere(r.moves.list[i], depth) {
			later = append(later, uint8(i))
			continue
		}
		score := t.searchTurn(s, ply, depth, next, alpha, beta, i)
		if t.stopped || score <= best {
			continue
		}
		p := r.moves.list[i]
		best, move = score, p
		if score > alpha {
			alpha = score
			t.updatePV(ply, p)
		}
		if score >= beta {
			t.killer[ply] = p
			break
		}
	}
	if !all && best < -engine.MaxEval {
		best = -engine.MaxEval // unlisted turns may be better
	}
	return best, move
}

// busyDepth is the least depth of a node whose turns are shared among threads.
const busyDepth = 2

// busyKey identifies a turn of the position for other threads.
func (t *tree) busyKey(p pair, depth int) engine.MoveKey {
	return engine.NewMoveKey(t.board.key, uint64(p.first+1)<<cellBits|uint64(p.second+1), depth)
}

// searchedElsewhere reports whether another thread is searching a turn.
func (t *tree) searchedElsewhere(p pair, depth int) bool {
	return t.busy != nil && depth >= busyDepth && t.busy.Searching(t.busyKey(p, depth))
}

// searchTurn plays a turn of the list, searches it, and takes it back.
func (t *tree) searchTurn(s game.Side, ply, depth, next, alpha, beta, i int) (score int) {
	p := t.scratch[ply].moves.list[i]
	if t.busy != nil && depth >= busyDepth {
		key := t.busyKey(p, depth)
		t.busy.Begin(key)
		defer t.busy.End(key)
	}
	t.board.play(s, p)
	score = t.pvSearch(s, ply, next, alpha, beta, i)
	t.board.undo(s, p)
	return score
}

// pvSearch searches a played turn: the first with the full window, others with a null window
// and, if late, a reduced depth. It searches again if the result requires that.
func (t *tree) pvSearch(s game.Side, ply, depth, alpha, beta, i int) (score int) {
	if i == 0 {
		return -t.node(s^1, ply+1, depth, -beta, -alpha)
	}
	less := 0
	if t.board.hot[s] == 0 && t.scratch[ply].must.stones < 2 && depth >= 2 {
		less = min(i/4, 1) + min(i/16, 1)*min(depth/4, 1)
	}
	score = -t.node(s^1, ply+1, depth-less, -alpha-1, -alpha)
	if less > 0 && score > alpha && !t.stopped {
		score = -t.node(s^1, ply+1, depth, -alpha-1, -alpha)
	}
	if score > alpha && score < beta && !t.stopped {
		score = -t.node(s^1, ply+1, depth, -beta, -alpha)
	}
	return score
}

// updatePV updates the principal variation of a ply.
func (t *tree) updatePV(ply int, p pair) {
	t.pv[ply][0] = p
	n := copy(t.pv[ply][1:], t.pv[ply+1][:t.length[ply+1]])
	t.length[ply] = n + 1
}

// generate fills the list with the turns to search, and reports whether it has every turn that
// does not lose at once.
func (t *tree) generate(s game.Side, ply, depth int, r *turnScratch) (all bool) {
	switch r.must.stones {
	case 2:
		r.moves.n = 0
		for _, p := range r.must.pairs[:r.must.m] {
			r.moves.add(p, t.board.gain(s, p.first)+t.board.gain(s, p.second), maxPairs)
		}
		return true
	case 1:
		t.listForced(s, depth, r)
		return false
	}
	if depth >= 2 && t.defend(s, ply, r) {
		return false
	}
	width := innerWidth
	switch {
	case ply == 0:
		width = rootWidth
	case depth <= 1:
		width = leafWidth
	}
	t.pairs.list(s, width, &r.moves)
	return false
}

// listForced lists the turns that stop all threats: single stones that suffice with the
// best second stones and with those that make a threat, and pairs that suffice together.
func (t *tree) listForced(s game.Side, depth int, r *turnScratch) {
	r.moves.n = 0
	b := &t.board
	threats := freeThreat
	if depth <= 1 {
		threats = leafThreat
	}
	for _, c := range r.must.single[:r.must.n] {
		v := b.value(s, c)
		b.put(s, c)
		n := t.pairs.weigh(s)
		best := t.pairs.best(n, false)
		t.listWith(c, v, best[:min(len(best), freeStones)], freeStones, &r.moves)
		t.listWith(c, v, t.pairs.best(n, true), threats, &r.moves)
		t.pairs.forget(n)
		if b.empty == 0 {
			r.moves.add(pair{c, none}, v, maxPairs)
		}
		b.take(s, c)
	}
	for _, p := range r.must.pairs[:r.must.m] {
		r.moves.add(p, b.value(s, p.first)+b.value(s, p.second), maxPairs)
	}
}

// listWith adds turns of a stone, already placed, with at most a number of others that are not
// listed yet.
func (t *tree) listWith(c cell, v int32, others []cell, most int, moves *pairList) {
	for _, d := range others {
		if p := (pair{c, d}); most > 0 && !moves.has(p) {
			moves.add(p, v+t.pairs.value[d], maxPairs)
			most--
		}
	}
}

// order moves the table's turn to the front, followed by the killer.
func (t *tree) order(r *turnScratch, first, killer pair) {
	at := 0
	for _, p := range [2]pair{first, killer} {
		for i := at; i < r.moves.n; i++ {
			if q := r.moves.list[i]; q.same(p) {
				copy(r.moves.list[at+1:i+1], r.moves.list[at:i])
				r.moves.list[at] = q
				at++
				break
			}
		}
	}
}
