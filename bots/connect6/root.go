package connect6

import (
	"slices"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// Settings of the search at the root.
const (
	rootThreats = 16   // depth of the threat search, in turns
	firstBudget = 1000 // its node limit before the first iteration
	nextBudget  = 3    // growth of the node limit per iteration
)

// run is one search.
type run struct {
	*engine.Run
	tree     *tree
	side     game.Side
	position *rules.Position
	limit    engine.Limit
	skip     []game.Move
	line     engine.Line // the best line
	budget   uint64      // node limit of the threat search in the next iteration
}

// search finds an immediate line, or deepens iteratively on the run's tree and on those of the
// helpers.
func (r *run) search(helpers []*tree, report func(engine.Line)) engine.Line {
	t := r.tree
	t.table.NextSearch()
	t.begin(r.position, r.limit.Nodes, r.Stopped)
	t.rootKey = rootKey(r.position.Left(), r.skip)
	line := engine.Line{}
	if r.immediate(&line) {
		if report != nil {
			report(line)
		}
		return line
	}
	r.list()
	line.Moves = r.moves(t.root.list[:1])
	r.budget = firstBudget
	if r.limit.Nodes > 0 {
		r.budget = min(r.budget, r.limit.Nodes/4+1)
	}
	return engine.Deepen(r.Run, r.with(helpers), engine.Iterations{
		Depths: t.depths(r.limit.Depth), Window: engine.Window{Full: engine.Won}, First: line, Report: report,
	})
}

// with returns the run and one on each of the helpers' trees, with the same root. Theirs have
// no budget for the threat search before an iteration.
func (r *run) with(helpers []*tree) []*run {
	list := []*run{r}
	for _, t := range helpers {
		t.begin(r.position, r.limit.Nodes, r.Stopped)
		t.rootKey, t.root, t.all = r.tree.rootKey, r.tree.root, r.tree.all
		list = append(list, &run{Run: r.Run, tree: t, position: r.position, side: r.side, limit: r.limit, skip: r.skip})
	}
	return list
}

// depths returns the depth of each iteration, in stones, up to a limit (0 for none)
// rounded up to whole turns.
func (t *tree) depths(limit int) (list []int) {
	for turns := 1; turns < maxTurns; turns++ {
		list = append(list, t.placed(turns))
		if limit > 0 && t.placed(turns) >= limit {
			break
		}
	}
	return list
}

// Search implements engine.Tree. A win by threats ends the search before the iteration.
func (r *run) Search(iteration, alpha, beta int) (score int, done bool) {
	t := r.tree
	r.line.Moves = nil
	if t.over() {
		return 0, false
	}
	if len(r.skip) == 0 && r.forced(&r.line, rootThreats, r.budget) {
		return r.line.Score, false
	}
	r.budget *= nextBudget
	score = t.node(r.side, 0, iteration+1, alpha, beta)
	if t.length[0] > 0 {
		r.line.Moves = r.moves(t.pv[0][:t.length[0]])
	}
	return score, !t.stopped
}

// Line implements engine.Tree.
func (r *run) Line() []game.Move { return r.line.Moves }

// Solved implements engine.Tree: a win or a loss is proved.
func (r *run) Solved(l engine.Line) bool { return max(l.Score, -l.Score) > engine.MaxEval }

// Nodes implements engine.Tree.
func (r *run) Nodes() uint64 { return r.tree.nodes + r.tree.threats.nodes }

// rootKey returns a word to add to the root's key in the table: the root is equivalent to a
// position in the tree only if two stones are to be placed and no move is excluded.
func rootKey(left int, skip []game.Move) uint64 {
	key := engine.SkipKey(skip)
	if left == 1 {
		key += game.Mix(2, 1)
	}
	return key
}

// begin prepares the search of a position.
func (t *tree) begin(p *rules.Position, nodes uint64, halt func(nodes uint64) bool) {
	t.board.reset(p)
	t.nodes, t.threats.nodes = 0, 0
	t.limit, t.halt, t.stopped = nodes, halt, false
	t.threats.halt = t.mustEnd
	t.left = p.Left()
	clear(t.killer[:])
}

// immediate finds the line if the turn wins, or cannot prevent a loss in the next turn.
func (r *run) immediate(line *engine.Line) bool {
	b, left := &r.tree.board, r.position.Left()
	var gaps [mostGaps]gap
	for _, g := range b.gapsOf(r.side, &gaps) {
		p := g.turn()
		if p.second == none && left == 2 && r.skipped(p.first) {
			p.second = r.other(p.first) // the second stone wins
		}
		if p.second != none && left == 1 || r.skipped(p.first) && (p.second == none || r.skipped(p.second)) {
			continue
		}
		if r.skipped(p.first) {
			p.first, p.second = p.second, p.first
		}
		line.Moves = r.moves([]pair{p})
		line.Score = engine.Won - len(line.Moves)
		return true
	}
	must := &r.tree.scratch[0].must
	if b.answer(r.side^1, must); must.stones <= left || len(r.skip) > 0 {
		return false
	}
	g := must.gaps[0]
	line.Moves = r.moves([]pair{{g.a, none}})
	line.Score = left + 2 - engine.Won
	return true
}

// other returns an empty cell, different from than, that is not excluded, or none.
func (r *run) other(than cell) cell {
	b := &r.tree.board
	for c := range cell(b.size * b.size) {
		if c != than && b.vacant(c) && !r.skipped(c) {
			return c
		}
	}
	return none
}

func (r *run) skipped(c cell) bool { return slices.Contains(r.skip, game.Put(game.Cell(c))) }

// forced looks for a win in at most most turns of threats.
func (r *run) forced(line *engine.Line, most int, budget uint64) bool {
	t := r.tree
	turns := t.find(r.side, r.position.Left(), most, budget)
	if turns < 0 {
		return false
	}
	nodes, limit := t.threats.nodes, t.limit
	t.threats.most, t.limit = ^uint64(0), 0
	list := t.threats.line(r.side, r.position.Left(), turns, nil)
	t.threats.nodes, t.limit = nodes, limit // do not count the nodes for reconstructing the line
	line.Moves = r.moves(list)
	line.Score = engine.Won - (r.position.Left() + 4*turns)
	return true
}

// list fills the root with its turns: all that stop threats, or the best that are not
// excluded.
func (r *run) list() {
	t := r.tree
	if r.position.Left() == 2 {
		s := &t.scratch[0]
		t.board.answer(r.side^1, &s.must)
		t.all = t.generate(r.side, 0, maxTurns, s)
		t.root = s.moves
	} else {
		t.all = false
		t.listOne(r.side)
	}
	if len(r.skip) > 0 {
		r.removeSkipped()
	}
}

// listOne lists turns of one stone.
func (t *tree) listOne(s game.Side) {
	t.root.n = 0
	n := t.pairs.weigh(s)
	must := &t.scratch[0].must
	t.board.answer(s^1, must)
	if must.stones == 1 {
		for _, c := range must.single[:must.n] {
			t.root.add(pair{c, none}, t.board.value(s, c), maxPairs)
		}
		t.all = true
	} else {
		for _, c := range t.pairs.near[:n] {
			t.root.add(pair{c, none}, t.pairs.value[c], maxPairs)
		}
	}
	t.pairs.forget(n)
}

// removeSkipped removes the turns whose stones are all excluded. If none is left, it uses
// the other legal moves.
func (r *run) removeSkipped() {
	t := r.tree
	kept := t.root.list[:0]
	for _, p := range t.root.list[:t.root.n] {
		if r.skipped(p.first) && p.second != none {
			p.first, p.second = p.second, p.first
		}
		if !r.skipped(p.first) {
			kept = append(kept, p)
		}
	}
	t.root.n = len(kept)
	if t.root.n > 0 {
		return
	}
	second := none
	if r.position.Left() == 2 && t.board.empty > 1 {
		n := t.pairs.weigh(r.side)
		second = t.pairs.best(n, false)[0]
		t.pairs.forget(n)
	}
	t.all = false
	for c := range cell(t.board.size * t.board.size) {
		if t.board.vacant(c) && !r.skipped(c) && c != second {
			t.root.add(pair{c, second}, t.board.value(r.side, c), maxPairs)
		}
	}
	if t.root.n == 0 {
		t.root.add(pair{second, none}, 0, maxPairs)
	}
}

// moves converts turns to moves, up to the end of the game.
func (r *run) moves(list []pair) (moves []game.Move) {
	at := *r.position
	for _, p := range list {
		for _, c := range [2]cell{p.first, p.second} {
			if c == none || at.Result().Over() {
				continue
			}
			m := game.Put(game.Cell(c))
			moves = append(moves, m)
			at.Play(m)
		}
	}
	return moves
}
