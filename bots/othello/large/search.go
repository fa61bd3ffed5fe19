// Package large plays Othello on boards of any size, with or without pits. It is meant for boards
// of more than 8 rows: package midgame is faster on the others.
//
// A [Search] is a principal variation search with iterative deepening. It leaves out what a
// shallow search makes improbable (ProbCut), and plays the end of the game exactly. Its scores
// are in hundredths of a disc, by how many the side to move will win, up to 200 discs.
package large

import (
	"context"
	"slices"

	"quintet/bots/othello/linear"
	"quintet/engine"
	"quintet/game"
)

// Search searches one position at a time. The table is kept between searches.
type Search struct {
	weights   *linear.Weights
	table     *engine.Table
	geometry  geometry   // of the boards that the table is about
	evaluator *evaluator // copied for each thread
	busy      engine.Busy
	threads   []*thread
}

// New returns a search with a number of threads, at least 1, and a table of about a number of
// megabytes.
func New(w *linear.Weights, megabytes, threads int) *Search {
	s := &Search{weights: w, table: engine.NewTable(megabytes)}
	for range max(threads, 1) {
		s.threads = append(s.threads, &thread{table: s.table})
	}
	return s
}

// Reset implements engine.Searcher.
func (s *Search) Reset() { s.table.Clear() }

// choose prepares the search for boards of a geometry.
func (s *Search) choose(g geometry) {
	if s.evaluator == nil || g.size != s.geometry.size || g.ground != s.geometry.ground {
		s.Reset()
		s.geometry = g
		s.evaluator = newEvaluator(s.weights, &s.geometry)
	}
	for _, t := range s.threads {
		t.geometry, t.eval, t.limit = &s.geometry, *s.evaluator, linear.Limit(g.cells)
		if t.busy = nil; len(s.threads) > 1 {
			t.busy = &s.busy
		}
	}
}

// Search implements engine.Searcher, for positions of type Position.
func (s *Search) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	at := p.Position.(Position)
	g := geometryOf(at)
	s.choose(g)
	b := g.boardOf(at)
	if at.Result().Over() {
		return engine.Line{Score: s.threads[0].final(&b)}
	}
	soft, hard := l.BudgetFor(movesLeft(b.empty))
	r, end := engine.NewRun(ctx, l, soft, hard)
	defer end()
	s.table.NextSearch()
	list := steps(b.empty, l.Depth)
	it := engine.Iterations{Window: s.threads[0].aspiration(), Report: report}
	for _, step := range list {
		it.Depths = append(it.Depths, step.depth)
	}
	for _, t := range s.threads {
		t.prepare(r, &b, p.Skip, list, l.NodesPerThread(len(s.threads)))
	}
	it.First.Moves = []game.Move{s.threads[0].anyMove()}
	return engine.Deepen(r, s.threads, it)
}

// movesLeft returns how many more moves will need time at a number of empty cells: the last
// ones, which are played out at once, need none.
func movesLeft(empty int) float64 { return float64(max((empty-12)/2, 2)) }

// step is one search of the position: how deep, and how certain.
type step struct{ depth, certainty int }

// endFrom is how many plies before the end a search goes to the end.
const endFrom = 8

// steps lists the searches of a position with a number of empty cells, each better than the one
// before. Near the end of the game those that would be almost as deep as the end are left
// out. Those deeper than a limit, if it is not 0, give way to one that is as deep.
func steps(empty, limit int) (list []step) {
	for d := 1; d <= max(empty-endFrom, min(4, empty-1)); d++ {
		list = append(list, step{d, 0})
	}
	for certainty := range certainties {
		list = append(list, step{empty, certainty})
	}
	if i := slices.IndexFunc(list, func(s step) bool { return limit > 0 && s.depth > limit }); i >= 0 {
		if list = list[:i]; i == 0 || list[i-1].depth < limit {
			list = append(list, step{limit, 0})
		}
	}
	return list
}

// thread is what one thread of a search needs.
type thread struct {
	table     *engine.Table
	busy      *engine.Busy // nil for a single thread
	geometry  *geometry
	eval      evaluator
	limit     int // of scores
	run       *engine.Run
	nodes     uint64
	most      uint64 // nodes; 0 for no limit
	certainty int    // of the cuts of this iteration
	levels    []*level

	steps []step
	depth int   // of this iteration
	root  []int // cells that may be played at the root, the best first
	found bool  // whether this iteration has found a line
}

// level is the scratch memory for the moves of a board at a ply.
type level struct {
	board  board // at the ply
	boards []board
	order  []candidate
	known  int         // how many of order come from the table, at its beginning: 0 or 1
	later  []candidate // that another thread is searching
}

// candidate is a move and how early to try it: the higher, the earlier.
type candidate struct {
	value int32
	cell  int16
	index int16 // of the board after it
}

// prepare prepares the thread for a search of a position.
func (t *thread) prepare(r *engine.Run, b *board, skip []game.Move, list []step, nodes uint64) {
	t.run, t.nodes, t.most, t.steps = r, 0, nodes, list
	t.level(0).board = *b
	t.root = t.root[:0]
	for cell := range t.geometry.cellsOf(&b.moves) {
		if !slices.Contains(skip, game.Put(game.Cell(cell))) {
			t.root = append(t.root, cell)
		}
	}
	if i := slices.Index(t.root, lookUp(t.table, t.geometry.key(b)).best-1); i > 0 {
		t.rootFirst(i)
	}
}

// rootFirst puts a move of the root before the others.
func (t *thread) rootFirst(i int) {
	cell := t.root[i]
	copy(t.root[1:i+1], t.root[:i])
	t.root[0] = cell
}

// level returns the scratch memory of a ply.
func (t *thread) level(ply int) *level {
	for len(t.levels) <= ply {
		t.levels = append(t.levels, new(level))
	}
	return t.levels[ply]
}

// anyMove returns a move of the root, for a search that is stopped at once.
func (t *thread) anyMove() game.Move {
	if len(t.root) == 0 {
		return game.Pass
	}
	return game.Put(game.Cell(t.root[0]))
}

// aspiration returns the windows of the iterations.
func (t *thread) aspiration() engine.Window {
	beyond := t.limit + 1
	half := 3 * linear.Unit
	return engine.Window{Full: beyond, Open: beyond, From: 4, Half: half, Wider: 4 * half, Factor: 2, Narrow: true}
}

// Nodes implements engine.Tree.
func (t *thread) Nodes() uint64 { return t.nodes }

// Solved implements engine.Tree.
func (t *thread) Solved(engine.Line) bool { return false }

// Search implements engine.Tree. A search that is stopped has found a line only if its move is
// better than the best before.
func (t *thread) Search(iteration, alpha, beta int) (score int, done bool) {
	s := t.steps[iteration]
	t.certainty, t.depth = s.certainty, s.depth
	best := t.anyMove()
	score = t.searchRoot(s.depth, alpha, beta)
	done = !t.stopped()
	t.found = t.anyMove() != best || done && alpha < score && score < beta
	return score, done
}

// stopped reports whether the search must end. The first ply is always searched.
func (t *thread) stopped() bool {
	if t.depth <= 1 {
		return false
	}
	return t.most > 0 && t.nodes >= t.most || t.nodes&1023 == 0 && t.run.Stopped(t.nodes) || t.run.Stop.Load()
}
