package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"quintet/game"
)

// Run is a search in progress. Its threads share it.
type Run struct {
	// Stop is set when the threads must stop.
	Stop atomic.Bool

	limit Limit
	began time.Time
	soft  time.Duration // no iteration starts later; 0 for no limit
	hard  time.Duration // the search stops then; 0 for no limit
}

// NewRun starts the clock of a search, which stops when the context ends or after the time
// hard, and starts no iteration after the time soft; 0 is no limit. The caller must call
// end when the search has returned.
func NewRun(ctx context.Context, l Limit, soft, hard time.Duration) (r *Run, end func()) {
	r = &Run{limit: l, began: time.Now(), soft: soft, hard: hard}
	ctx, cancel := l.timed(ctx, hard)
	r.Stop.Store(ctx.Err() != nil) // AfterFunc would set it a little later
	unregister := context.AfterFunc(ctx, func() { r.Stop.Store(true) })
	return r, func() {
		unregister()
		cancel()
	}
}

// elapsed returns the time since the search began, in which it visited a number of nodes.
func (r *Run) elapsed(nodes uint64) time.Duration {
	if r.limit.NodesTime > 0 {
		return r.limit.NodesToTime(nodes)
	}
	return time.Since(r.began)
}

// Stopped reports whether the threads must stop; nodes is how many the caller has visited. It
// reads the clock itself, because on a busy machine a timer's goroutine can be late. If the
// limit has a Pacer, it blocks while the search is suspended.
func (r *Run) Stopped(nodes uint64) bool {
	if r.limit.Pacer != nil {
		r.limit.Pacer.Yield()
	}
	if r.hard > 0 && r.elapsed(nodes) > r.hard {
		r.Stop.Store(true)
	}
	return r.Stop.Load()
}

// Tree is one thread's search of the tree below a position. [Deepen] runs one
// iteration after another on it.
type Tree interface {
	// Search searches with a window, in the iteration of that index. The score is
	// exact between alpha and beta, a bound outside. done is false if the search
	// was stopped; then the score is that of Line.
	Search(iteration, alpha, beta int) (score int, done bool)

	// Line returns the principal variation that the last call of Search found: no
	// moves if no move reached the window.
	Line() []game.Move

	// Solved reports whether more iterations would not help, for example because the score is
	// proved.
	Solved(l Line) bool

	// Nodes returns the number of positions visited in this run.
	Nodes() uint64
}

// Iterations configures iterative deepening.
type Iterations struct {
	Depths []int  // in plies, of each iteration
	Window Window // of each iteration
	First  Line   // returned if no iteration finds a line; it must have a move

	// AdaptTime makes a search on a clock stop earlier the longer the best move has
	// stayed the same, the more nodes it took, and the less its score falls.
	AdaptTime bool

	// Forced makes a search on a clock stop after one iteration, because there is only one move
	// to play.
	Forced bool

	// Report, if not nil, is called after each iteration.
	Report func(Line)
}

// Deepen runs iterative deepening on each tree in its own goroutine, until the first has
// finished. It returns the line of that tree's last iteration, even an unfinished one if it
// found a line.
func Deepen[T Tree](r *Run, trees []T, it Iterations) Line {
	var helpers sync.WaitGroup
	for _, t := range trees[1:] {
		helpers.Go(func() { r.deepen(t, &it, nil) })
	}
	line := r.deepen(trees[0], &it, it.Report)
	r.Stop.Store(true)
	helpers.Wait()
	for _, t := range trees[1:] {
		line.Nodes += t.Nodes()
	}
	line.Time = time.Since(r.began)
	return line
}

func (r *Run) deepen(t Tree, it *Iterations, report func(Line)) Line {
	line, s := it.First, confidence{effort: usualEffort}
	for i, depth := range it.Depths {
		last := line
		done := it.Window.search(t, i, &line)
		if done {
			line.Depth = depth
		}
		line.Nodes, line.Time = t.Nodes(), time.Since(r.began)
		if report != nil {
			report(line)
		}
		s.note(t, last, line)
		if !done || t.Solved(line) || r.soft > 0 && r.elapsed(line.Nodes) > r.softLimit(it, s) {
			break
		}
	}
	return line
}

// softLimit returns the time after which no iteration starts. A fixed time per move is used up.
func (r *Run) softLimit(it *Iterations, s confidence) time.Duration {
	switch {
	case !it.AdaptTime || r.limit.Clock.Left == 0:
		return r.soft
	case it.Forced:
		return 0
	}
	return time.Duration(float64(r.soft) * s.factor())
}

// Window configures aspiration windows: an iteration searches with a window around the
// previous score, and again with wider ones while the score is outside.
type Window struct {
	Full int // the widest window is from -Full to Full
	Open int // a border beyond it, either way, opens the window to Full

	From   int  // the first iteration that aspires
	Half   int  // half the first window; 0 to search with the full window only
	Wider  int  // how far beyond the score the border moves at first
	Factor int  // by how much more each time
	Narrow bool // the other border moves to the score
}

// search runs an iteration and stores its result in the line.
func (w *Window) search(t Tree, iteration int, line *Line) (done bool) {
	alpha, beta, wider := -w.Full, w.Full, w.Wider
	if guess := line.Score; w.Half > 0 && iteration >= w.From && max(guess, -guess) < w.Open {
		alpha, beta = w.border(guess-w.Half), w.border(guess+w.Half)
	}
	for ; ; wider *= w.Factor {
		score, done := t.Search(iteration, alpha, beta)
		if moves := t.Line(); len(moves) > 0 {
			line.Moves, line.Score = moves, score
		}
		switch {
		case !done:
			return false
		case score <= alpha && alpha > -w.Full:
			alpha, beta = w.border(score-wider), w.other(score+1, beta)
		case score >= beta && beta < w.Full:
			alpha, beta = w.other(score-1, alpha), w.border(score+wider)
		default:
			return true
		}
	}
}

func (w *Window) border(score int) int {
	switch {
	case score >= w.Open:
		return w.Full
	case score <= -w.Open:
		return -w.Full
	}
	return score
}

// other returns the border on the other side of the score.
func (w *Window) other(narrow, border int) int {
	if w.Narrow {
		return narrow
	}
	return border
}
