package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"quintet/game"
)

// maxPly is the maximum length of a line.
const maxPly = 120

// AlphaBeta is principal variation search with iterative deepening and a transposition
// table. It runs one search at a time and keeps the table between searches.
type AlphaBeta struct {
	know    Knowledge
	table   *Table
	threads int
	full    bool // for tests: no reductions, extensions and prunings

	busy    Busy
	bounds  *moveBounds // nil until there are several threads
	workers []*worker   // created for the first position
}

// NewAlphaBeta returns a search with a number of threads, at least 1, and a table of a size
// in MiB.
func NewAlphaBeta(k Knowledge, megabytes, threads int) *AlphaBeta {
	return &AlphaBeta{know: k, table: NewTable(megabytes), threads: max(threads, 1)}
}

// Reset clears the table and histories.
func (a *AlphaBeta) Reset() {
	a.table.Clear()
	for _, w := range a.workers {
		clear(w.cache[:])
		w.order = order{}
	}
	if a.bounds != nil {
		clear(a.bounds[:])
	}
}

// Search implements Searcher.
func (a *AlphaBeta) Search(ctx context.Context, p Position, l Limit, report func(Line)) Line {
	if len(p.Moves(nil)) == 0 {
		return Line{Score: a.know.final(p.Position, p.Result(), 0)}
	}
	soft, hard := l.BudgetFor(a.movesLeft(p.Position))
	r, end := NewRun(ctx, l, soft, hard)
	defer end()
	a.table.NextSearch()
	a.prepare(p, r, l.NodesPerThread(a.threads))
	moves, _ := a.workers[0].generate(0)
	return Deepen(r, a.workers, Iterations{
		Depths: depths(l), Window: a.workers[0].aspiration(), AdaptTime: true, Forced: len(moves) == 1, Report: report,
		First: Line{Moves: []game.Move{moves[0]}},
	})
}

// movesLeft returns among how many moves a side divides its time.
func (a *AlphaBeta) movesLeft(p game.Position) float64 {
	if a.know.MovesLeft != nil {
		return a.know.MovesLeft(p)
	}
	return horizon
}

// depths returns the depths of the iterations within a limit.
func depths(l Limit) (list []int) {
	deepest := maxPly / 2
	if l.Depth > 0 {
		deepest = min(deepest, l.Depth)
	}
	for depth := 1; depth <= deepest; depth++ {
		list = append(list, depth)
	}
	return list
}

func (w *worker) aspiration() Window {
	half := w.tuning.Aspiration
	return Window{Full: Won, Open: MaxEval, From: 3, Half: half, Wider: 3 * half, Factor: 3}
}

// prepare creates the workers, once, and prepares them for the search of a position.
func (a *AlphaBeta) prepare(p Position, r *Run, nodes uint64) {
	for len(a.workers) < a.threads {
		a.workers = append(a.workers, newWorker(a.know, a.table, p.Position, len(a.workers)))
	}
	if a.threads > 1 && a.bounds == nil {
		a.bounds = new(moveBounds)
	}
	for _, w := range a.workers {
		if a.threads > 1 {
			w.busy, w.bounds = &a.busy, a.bounds
		}
		w.run, w.limit, w.nodes, w.full, w.unwind = r, nodes, 0, a.full, unwinding{}
		w.line.repeat, w.skip = p.Repeat, p.Skip
		w.line.begin(p.History)
		w.pos[0].CopyFrom(p.Position)
		w.keys[0] = p.Key()
		w.danger[0] = w.inDanger(p.Position)
	}
}

// worker is one thread with its scratch buffers: a position, moves and their values
// for each ply, so that a node allocates nothing.
type worker struct {
	number int
	know   Knowledge
	tuning Tuning
	table  *Table
	run    *Run
	nodes  uint64
	limit  uint64 // of nodes, for this worker; 0 for none
	full   bool

	began, bestNodes uint64 // nodes when the iteration began, and of its best move at the root

	busy   *Busy       // nil for a single thread
	bounds *moveBounds // nil for a single thread

	pos        [maxPly + 1]game.Position
	keys       [maxPly + 1]uint64
	danger     [maxPly + 1]bool // of the side to move
	evals      [maxPly + 1]int  // of positions that are searched; unclear in danger
	moves      [maxPly + 1][]game.Move
	values     [maxPly + 1][]int32
	later      [maxPly + 1][]int // indices of the moves that another thread is searching
	pv         [maxPly + 2][maxPly + 2]game.Move
	length     [maxPly + 2]int
	cache      evalCache
	order      order
	reductions *[64][64]int16 // in hundredths of a ply
	line       path
	cut        [maxPly + 2]bool // nodes of the searched line that are expected to fail high
	unwind     unwinding
	queries    [maxPly + 1]query     // of the nodes of the searched line
	played     [maxPly + 1]game.Move // at each ply of the searched line
	except     [maxPly + 1]game.Move // not to be searched at a ply; zero for none

	noisyFirst [maxPly + 1]bool // whether the table's move is noisy

	skip []game.Move // at the root
}

// unclear means that a position has no evaluation.
const unclear = math.MinInt32

func newWorker(k Knowledge, t *Table, p game.Position, number int) *worker {
	w := &worker{number: number, know: k, tuning: cmp.Or(k.Tuning, DefaultTuning(k.Margin)), table: t}
	w.reductions = w.tuning.reductions()
	for i := range w.pos {
		w.pos[i] = p.Clone()
		w.moves[i] = make([]game.Move, 0, 128)
		w.values[i] = make([]int32, 128)
		w.later[i] = make([]int, 0, 128)
	}
	return w
}

// Search implements Tree.
func (w *worker) Search(iteration, alpha, beta int) (score int, done bool) {
	w.began, w.bestNodes = w.nodes, 0
	return w.node(0, min(iteration+1, maxPly/2), alpha, beta, 0)
}

// effort implements efforter.
func (w *worker) effort() float64 { return float64(w.bestNodes) / float64(max(w.nodes-w.began, 1)) }

// Line implements Tree.
func (w *worker) Line() []game.Move { return slices.Clone(w.pv[0][:w.length[0]]) }

// Solved implements Tree: a win or loss within the depth is proved.
func (w *worker) Solved(l Line) bool {
	return l.Score > MaxEval && Won-l.Score <= l.Depth || l.Score < -MaxEval && Won+l.Score <= l.Depth
}

// Nodes implements Tree.
func (w *worker) Nodes() uint64 { return w.nodes }

// stopped reports whether the search must end.
func (w *worker) stopped() bool {
	return w.limit > 0 && w.nodes >= w.limit || w.nodes&255 == 0 && w.run.Stopped(w.nodes)
}
