// Package analysis searches positions for analysis boards.
//
// A Task finds the best lines of a position, depth by depth. It is a task of package jobs:
// its search runs in short slices and is suspended between them, so that several users get
// lines at the same time.
//
// Start with New, ask the Analyzer for a Task, submit it to a jobs.Queue, and wait for
// Task.Changed.
package analysis

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// Config is how an Analyzer works. Zero fields have defaults.
type Config struct {
	Searcher func(g game.Game) (engine.Searcher, error) // bots.Searcher with tables of TableMegabytes if nil
	Lower    func()                                     // lowers the priority of the calling goroutine, if not nil
	Now      func() time.Time                           // time.Now if nil

	Slice time.Duration // of search in one step; 20 ms if 0
	Time  time.Duration // of search for one task; MaxTime if 0
	Nodes uint64        // positions to visit for one task; MaxNodes if 0
	Kept  int           // suspended searches that wait in line and keep their tables; 8 if 0
}

// The limits of a task.
const (
	MaxTime  = time.Minute
	MaxNodes = 100_000_000
)

// TableMegabytes is the size of the transposition table of a task.
const TableMegabytes = 8

// Analyzer makes tasks. It is safe for concurrent use.
type Analyzer struct {
	config Config
	kept   chan struct{} // a token for each search that waits in line and keeps its tables
}

// New returns an Analyzer.
func New(c Config) *Analyzer {
	if c.Searcher == nil {
		cache := bots.NewCache()
		c.Searcher = func(g game.Game) (engine.Searcher, error) {
			return bots.Searcher(g, bots.Options{Megabytes: TableMegabytes, Cache: cache})
		}
	}
	if c.Lower == nil {
		c.Lower = func() {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Slice, c.Time = cmp.Or(c.Slice, 20*time.Millisecond), cmp.Or(c.Time, MaxTime)
	c.Nodes, c.Kept = cmp.Or(c.Nodes, MaxNodes), cmp.Or(c.Kept, 8)
	return &Analyzer{config: c, kept: make(chan struct{}, c.Kept)}
}

// MaxLines is the maximum number of lines of a task that does not value every move.
const MaxLines = 5

// Options are what a task looks for.
type Options struct {
	Lines  int  // best lines with different first moves, 1 to MaxLines
	Values bool // a line for every legal move instead
}

// Reason is why a task ended.
type Reason string

// The reasons.
const (
	Exact Reason = "exact" // every line is proved
	Depth Reason = "depth" // no deeper search exists
	Limit Reason = "limit" // the time or the nodes of a task are used up
	Fault Reason = "fault" // the search panicked, or could not be made
)

// Task is the analysis of a position. It implements jobs.Task.
type Task struct {
	config  Config
	kept    chan struct{}
	game    game.Game
	at      engine.Position
	options Options

	// These belong to the goroutine that is in a method of jobs.Task, or to the search
	// while that goroutine waits for it.
	search   *coroutine      // nil before the first step, and when its memory was released
	searcher engine.Searcher // of search; nil at first
	cancel   context.CancelFunc
	keeps    bool // has a token of kept
	slice    time.Time
	worked   time.Duration
	nodes    uint64

	mu      sync.Mutex // guards the rest
	latest  Result
	reason  Reason
	changed chan struct{} // takes one
}

// Task returns the analysis of the position that a match has reached, which is not over.
func (a *Analyzer) Task(m *game.Match, o Options) *Task {
	return &Task{config: a.config, kept: a.kept, game: m.Game(), at: engine.At(m), options: o, changed: make(chan struct{}, 1)}
}

// Changed returns a channel that receives a value when Latest returns something new.
func (t *Task) Changed() <-chan struct{} { return t.changed }

// Latest returns the lines of the last depth that was finished, with a depth of 0 if none
// was, and why the task ended; "" if it has not.
func (t *Task) Latest() (Result, Reason) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.latest, t.reason
}

// update changes what Latest returns.
func (t *Task) update(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	select {
	case t.changed <- struct{}{}:
	default: // the reader has not taken the change before, and will see both
	}
}

// end sets why the task ended, unless a reason is known.
func (t *Task) end(r Reason) {
	t.update(func() { t.reason = cmp.Or(t.reason, r) })
}

// Step implements jobs.Task: it searches for a slice of time.
func (t *Task) Step(ctx context.Context) (more bool) {
	t.release()
	if t.search == nil {
		searching, cancel := context.WithCancel(context.Background())
		t.cancel = cancel
		t.search = newCoroutine(func(park func()) { t.run(searching, park) })
	}
	stop := context.AfterFunc(ctx, t.cancel)
	defer stop()
	t.slice = t.config.Now()
	return t.search.next()
}

// Yield implements engine.Pacer: it parks the search when its slice is over.
func (p *pacer) Yield() {
	t := p.task
	now := t.config.Now()
	spent := now.Sub(t.slice)
	if p.ctx.Err() != nil || spent < t.config.Slice {
		return
	}
	t.worked += spent
	t.slice = now
	if t.worked >= t.config.Time {
		t.end(Limit)
		t.cancel()
		return
	}
	p.park()
}

// Left returns how long the search may run before Yield parks it. A search in another process
// asks for it.
func (p *pacer) Left() time.Duration {
	return p.task.config.Slice - p.task.config.Now().Sub(p.task.slice)
}

// pacer suspends the search of a task.
type pacer struct {
	task *Task
	ctx  context.Context //nolint:containedctx // of the search that it suspends
	park func()
}

// Pause implements jobs.Task. Some searches keep their memory, so that they continue where
// they were; others are stopped and begin again.
func (t *Task) Pause() {
	select {
	case t.kept <- struct{}{}:
		t.keeps = true
	default:
		t.stop()
	}
}

// release gives the token of a search that waited in line back.
func (t *Task) release() {
	if t.keeps {
		<-t.kept
		t.keeps = false
	}
}

// End implements jobs.Task.
func (t *Task) End(err error) {
	t.release()
	t.stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		t.end(Fault)
	}
}

// Elsewhere implements jobs.Task.
func (t *Task) Elsewhere() bool { return t.search != nil && engine.Elsewhere(t.searcher) }

// stop stops the search and waits until it has returned.
func (t *Task) stop() {
	if t.search == nil {
		return
	}
	t.cancel()
	t.search.finish()
	t.search = nil
}
