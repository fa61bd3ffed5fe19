package connect6

import (
	"context"
	"time"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// Search is an engine.Searcher for Connect6. It runs one search at a time and keeps its
// tables between searches. It answers at once when asked for the second stone of a turn that
// it chose.
type Search struct {
	tree    tree
	helpers []*tree // of the other threads
	busy    engine.Busy

	plan engine.Line // the rest of the chosen turn
	key  uint64      // key of the position that the plan is for; 0 if there is none
}

var _ engine.Searcher = (*Search)(nil)

// New returns a search on one thread with a table of about the given size in MiB, at least 1.
func New(megabytes int) *Search { return NewThreads(megabytes, 1) }

// NewThreads returns a search on a number of threads, at least 1, with tables of about the
// given size in MiB, at least 1.
func NewThreads(megabytes, threads int) *Search {
	s := &Search{}
	table, proofs := engine.NewTable(megabytes), make(threatTable, max(megabytes, 1)<<20/8/24)
	s.tree.use(table, proofs)
	for range threads - 1 {
		t := &tree{busy: &s.busy}
		t.use(table, proofs)
		s.helpers = append(s.helpers, t)
	}
	if threads > 1 {
		s.tree.busy = &s.busy
	}
	return s
}

// use sets the tables, which threads share.
func (t *tree) use(table *engine.Table, proofs threatTable) {
	t.table = table
	t.threats = newThreats(&t.board, proofs)
	t.pairs.b = &t.board
}

// Reset clears the tables.
func (s *Search) Reset() {
	s.tree.table.Clear()
	s.tree.threats.clear()
	s.key = 0
}

// Search implements engine.Searcher. Depth counts stones, and is rounded up to
// whole turns.
func (s *Search) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	q := p.Position.(*rules.Position)
	if r := q.Result(); r.Over() {
		return engine.Line{Score: engine.ResultScore(r, q.Turn(), 0)}
	}
	if q.Left() == 1 && len(p.Skip) == 0 && s.key == q.Key() {
		s.key = 0
		if report != nil {
			report(s.plan)
		}
		return s.plan
	}
	soft, hard := budget(l, q.Left())
	shared, end := engine.NewRun(ctx, l, soft, hard)
	defer end()
	l.Nodes = l.NodesPerThread(1 + len(s.helpers))
	r := &run{Run: shared, tree: &s.tree, position: q, side: q.Turn(), limit: l, skip: p.Skip}
	line := r.search(s.helpers, report)
	s.remember(q, p.Skip, line)
	return line
}

// budget returns the soft and hard time limits of a turn with left stones to place. A turn
// has twice the share of the clock that a single move has.
func budget(l engine.Limit, left int) (soft, hard time.Duration) {
	soft, hard = l.Budget()
	if left == 2 && l.Clock.Left > 0 {
		soft, hard = 2*soft, min(2*hard, l.Clock.Left/2)
		if l.Time > 0 {
			soft, hard = min(soft, l.Time), min(hard, l.Time)
		}
	}
	return soft, hard
}

// remember stores the answer for the second stone of the turn.
func (s *Search) remember(q *rules.Position, skip []game.Move, line engine.Line) {
	s.key = 0
	if q.Left() != 2 || len(line.Moves) < 2 || len(skip) > 0 {
		return // with excluded moves, the line need not be the best
	}
	next := *q
	next.Play(line.Moves[0])
	if next.Result().Over() || !game.Legal(&next, line.Moves[1]) {
		return
	}
	s.key = next.Key()
	s.plan = line
	s.plan.Nodes, s.plan.Time = 0, 0
	s.plan.Moves = line.Moves[1:]
	switch {
	case line.Score > engine.MaxEval:
		s.plan.Score++
	case line.Score < -engine.MaxEval:
		s.plan.Score--
	}
}
