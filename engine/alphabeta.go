package engine

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"quintet/game"
)

// maxPly is how far a line can be looked at.
const maxPly = 120

// AlphaBeta searches by principal variation search with iterative deepening
// and a transposition table. It is one search at a time; the table is kept
// between searches.
type AlphaBeta struct {
	know    Knowledge
	table   *Table
	threads int
	full    bool // for tests: no reductions, extensions and prunings

	workers []*worker // made when a position of the game is first seen
}

// NewAlphaBeta returns a search by so many threads, at least 1, with a table of
// so many megabytes.
func NewAlphaBeta(k Knowledge, megabytes, threads int) *AlphaBeta {
	return &AlphaBeta{know: k, table: NewTable(megabytes), threads: max(threads, 1)}
}

// Reset forgets what earlier searches found, so that the next is as the first.
func (a *AlphaBeta) Reset() {
	a.table.Clear()
	a.workers = nil
}

// Search implements Searcher.
func (a *AlphaBeta) Search(ctx context.Context, p Position, l Limit, report func(Line)) Line {
	if len(p.Moves(nil)) == 0 {
		return Line{Score: result(p.Result(), p.Turn(), 0)}
	}
	soft, hard := l.Budget()
	ctx, cancel := Timed(ctx, hard)
	defer cancel()
	a.table.NextSearch()
	a.prepare(p)
	s := &shared{limit: l, threads: a.threads, soft: soft, hard: hard, began: time.Now(), report: report}
	s.stop.Store(ctx.Err() != nil) // AfterFunc would say so a little later
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	var helpers sync.WaitGroup
	for _, w := range a.workers[1:] {
		helpers.Go(func() { w.deepen(s, p, w.number%2) })
	}
	line := a.workers[0].deepen(s, p, 0)
	s.stop.Store(true)
	helpers.Wait()
	for _, w := range a.workers[1:] {
		line.Nodes += w.nodes
	}
	line.Time = time.Since(s.began)
	return line
}

// prepare makes room for the search of a position: none is made twice.
func (a *AlphaBeta) prepare(p Position) {
	for len(a.workers) < a.threads {
		a.workers = append(a.workers, newWorker(a.know, a.table, p.Position, len(a.workers)))
	}
	for _, w := range a.workers {
		w.nodes, w.full = 0, a.full
		w.line.repeat, w.skip = p.Repeat, p.Skip
		w.line.begin(p.History)
	}
}

// shared is what the threads of one search share.
type shared struct {
	limit   Limit
	threads int
	soft    time.Duration
	hard    time.Duration // when the search must end; 0 for no limit
	began   time.Time
	report  func(Line)
	stop    atomic.Bool
}

// worker is one thread's room: a position, moves and their values for each
// ply, so that a node needs none of its own.
type worker struct {
	number int
	know   Knowledge
	table  *Table
	s      *shared
	nodes  uint64
	limit  uint64 // of nodes, for this worker; 0 for none
	full   bool

	pos    [maxPly + 1]game.Position
	danger [maxPly + 1]bool // of the side to move
	evals  [maxPly + 1]int  // of positions that are searched; unclear in danger
	moves  [maxPly + 1][]game.Move
	values [maxPly + 1][]int32
	pv     [maxPly + 2][maxPly + 2]game.Move
	length [maxPly + 2]int
	order  order
	line   path
	played [maxPly + 1]game.Move // at each ply of the line that is looked at
	except [maxPly + 1]game.Move // not to be searched at a ply; zero for none

	skip   []game.Move // at the root
	stable int         // for how many depths the best move has been the same
}

// unclear is the evaluation of a position of which there is none.
const unclear = math.MinInt32

func newWorker(k Knowledge, t *Table, p game.Position, number int) *worker {
	w := &worker{number: number, know: k, table: t}
	for i := range w.pos {
		w.pos[i] = p.Clone()
		w.moves[i] = make([]game.Move, 0, 128)
		w.values[i] = make([]int32, 128)
	}
	return w
}

// deepen searches to one depth after the other, and returns the line of the
// last that was finished, or of the unfinished one if it found a better move.
func (w *worker) deepen(s *shared, p Position, ahead int) Line {
	w.s = s
	w.limit = s.limit.Nodes
	if s.threads > 1 && w.limit > 0 {
		w.limit = max(w.limit/uint64(s.threads), 1)
	}
	w.pos[0].CopyFrom(p.Position)
	w.danger[0] = w.endangered(p.Position)
	line := Line{Moves: []game.Move{w.anyMove(p.Position)}}
	w.stable = 0
	for depth := 1; depth <= maxPly/2; depth++ {
		score, done := w.aspire(min(depth+ahead, maxPly/2), line.Score)
		if w.length[0] > 0 {
			w.stable++
			if w.pv[0][0] != line.Best() {
				w.stable = 0
			}
			line.Moves = append(line.Moves[:0:0], w.pv[0][:w.length[0]]...)
			line.Score = score
		}
		if done {
			line.Depth = depth
		}
		line.Nodes, line.Time = w.nodes, time.Since(s.began)
		if !done || w.enough(line) {
			break
		}
		if w.number == 0 && s.report != nil {
			s.report(line)
		}
	}
	if w.number == 0 && s.report != nil {
		s.report(line)
	}
	return line
}

// anyMove returns a legal move, for a search that is stopped at once.
func (w *worker) anyMove(p game.Position) game.Move {
	w.pos[0].CopyFrom(p)
	moves, _ := w.list(0)
	return moves[0]
}

// enough reports whether no deeper search is wanted.
func (w *worker) enough(line Line) bool {
	l := &w.s.limit
	proved := line.Score > MaxEval && Won-line.Score <= line.Depth || line.Score < -MaxEval && Won+line.Score <= line.Depth
	return l.Depth > 0 && line.Depth >= l.Depth || proved ||
		w.s.soft > 0 && time.Since(w.s.began) > w.patience()
}

// patience returns when no other depth is begun: the sooner, the longer the
// best move has been the same. Where the time is for this move alone, all of it
// is used.
func (w *worker) patience() time.Duration {
	if w.s.limit.Clock.Left == 0 {
		return w.s.soft
	}
	return w.s.soft * time.Duration(14-2*min(w.stable, 4)) / 10
}

// aspire searches with a window around the score of the depth before, and
// with ever wider ones while the score lies outside.
func (w *worker) aspire(depth, guess int) (score int, done bool) {
	low, high, width := -Won, Won, firstWindow
	if depth > 3 && guess > -MaxEval && guess < MaxEval {
		low, high = guess-width, guess+width
	}
	for {
		score, done = w.node(0, depth, low, high, 0)
		width *= 3
		switch {
		case !done:
			return score, false
		case score <= low && low > -Won:
			low = widened(score-width, -MaxEval, -Won)
		case score >= high && high < Won:
			high = widened(score+width, MaxEval, Won)
		default:
			return score, true
		}
	}
}

// firstWindow is how far a score may be from that of the depth before without
// a second search.
const firstWindow = 30

// widened returns a border of the window, or the last one if it lies beyond
// where evaluations end.
func widened(border, end, last int) int {
	if max(border, -border) >= max(end, -end) {
		return last
	}
	return border
}

// stopped reports whether the search is to end. It looks at what other threads
// say now and then only, and at the clock itself: on a busy machine a timer's
// goroutine can come late.
func (w *worker) stopped() bool {
	if w.nodes&1023 == 0 && w.s.hard > 0 && time.Since(w.s.began) > w.s.hard {
		w.s.stop.Store(true)
	}
	return w.limit > 0 && w.nodes >= w.limit || w.nodes&255 == 0 && w.s.stop.Load()
}
