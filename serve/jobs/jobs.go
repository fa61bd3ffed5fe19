// Package jobs is the queue of long work: reviews and analyses.
//
// A Task works in steps of some tens of milliseconds. A few tasks are active at a time, and
// the others wait in a queue. The queue is fair among clients: clients with active tasks
// take turns, step by step (round-robin), and the next task that becomes active belongs to
// the client with the fewest active ones. A task goes back to the queue while others wait
// when it has used its share of time, so that an endless analysis blocks no other task, or when
// its client has more active tasks than a waiting one would have.
//
// Start with New, run Work in one goroutine for each worker, and Submit tasks. The package
// starts no goroutines itself.
package jobs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"quintet/serve/fair"
)

// Task is work in steps. Its methods are called by one goroutine at a time.
type Task interface {
	// Step works for some tens of milliseconds, and reports whether there is more to do.
	Step(ctx context.Context) (more bool)

	// Pause releases memory that the task does not need while it waits in the queue.
	Pause()

	// Elsewhere reports whether the task waits for work that needs no processor of this machine:
	// then its steps take no turns from others.
	Elsewhere() bool

	// End is called once, after the last step: with nil if there was no more to do,
	// context.Canceled if the task was cancelled, or ErrPanic.
	End(err error)
}

// Config configures a Queue. Zero fields have defaults.
type Config struct {
	Active    int              // tasks that take turns; 8 if 0
	Elsewhere int              // tasks that work elsewhere, beside the active ones
	Waiting   int              // tasks that may wait; 512 if 0
	PerClient int              // tasks of one client, active or waiting; 4 if 0
	Share     time.Duration    // of work, after which a task lets waiting ones go first; 1 s if 0
	First     time.Duration    // the share while a task waits that has not worked yet; an eighth of Share if 0
	Lower     func()           // lowers the priority of the calling worker, if not nil
	Report    func(value any)  // reports a panic of a task, if not nil
	Now       func() time.Time // time.Now if nil
}

// The errors of a Queue.
var (
	ErrFull   = errors.New("the queue of engine work is full")
	ErrClient = errors.New("the client has too many tasks in the queue of engine work")
	ErrPanic  = errors.New("a fault stopped the task")
)

// Queue is a bounded queue of tasks. It is safe for concurrent use.
type Queue struct {
	config Config
	here   lane // of tasks that take turns
	there  lane // of tasks that work elsewhere

	mu      sync.Mutex     // guards the rest, ready of the lanes, and the fields of tickets
	active  map[string]int // active tasks by network, see fair.Networks
	running int            // active tasks
	away    int            // tasks that work elsewhere, which are not active
	held    *fair.Counter  // tasks, active or waiting
	line    []*Ticket
	turns   *fair.Turns // of clients that hold tasks
}

// Ticket is a task in the queue.
type Ticket struct {
	queue  *Queue
	client string
	task   Task
	ctx    context.Context
	cancel context.CancelFunc

	worked  time.Duration // since it became active
	waiting bool
	away    bool // it works elsewhere
	begun   bool // it has been active
}

// Defaults of Config.Active and Config.Waiting.
const (
	maxActive  = 8
	maxWaiting = 512
)

// New returns an empty queue.
func New(c Config) *Queue {
	c.Active, c.Waiting, c.PerClient = cmp.Or(c.Active, maxActive), cmp.Or(c.Waiting, maxWaiting), cmp.Or(c.PerClient, 4)
	c.Share = cmp.Or(c.Share, time.Second)
	c.First = cmp.Or(c.First, c.Share/8)
	if c.Now == nil {
		c.Now = time.Now
	}
	turns := func() lane { return lane{turns: make(chan struct{}, c.Active+c.Elsewhere)} }
	return &Queue{config: c, here: turns(), there: turns(), active: map[string]int{}, held: fair.NewCounter(c.PerClient), turns: fair.NewTurns()}
}

// Submit adds a task of a client, such as an address. The error is ErrFull or ErrClient.
func (q *Queue) Submit(client string, t Task) (*Ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.line) >= q.config.Waiting:
		return nil, ErrFull
	case !q.held.Acquire(client):
		return nil, ErrClient
	}
	q.turns.Enter(client)
	k := &Ticket{queue: q, client: client, task: t, waiting: true}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	q.line = append(q.line, k)
	q.admit()
	return k, nil
}

// admit makes waiting tasks active while there is room. The caller holds mu.
func (q *Queue) admit() {
	for q.running < q.config.Active && len(q.line) > 0 {
		i := next(q.line, q.active)
		k := q.line[i]
		q.line = slices.Delete(q.line, i, i+1)
		k.waiting, k.begun, k.worked = false, true, 0
		q.activate(k)
		q.giveTurn(k)
	}
}

// activate counts an active task. The caller holds mu.
func (q *Queue) activate(k *Ticket) {
	q.running++
	count(q.active, k.client, 1)
}

// count changes the number of active tasks of a client and its networks.
func count(active map[string]int, client string, by int) {
	for _, network := range fair.Networks(client) {
		if active[network] += by; active[network] == 0 {
			delete(active, network)
		}
	}
}

// next returns the index of the task that leaves the queue next: the first one of the
// client with the fewest active tasks.
func next(line []*Ticket, active map[string]int) (best int) {
	for i, k := range line {
		mine, others := fair.Apart(k.client, line[best].client)
		if active[mine] < active[others] {
			best = i
		}
	}
	return best
}

// Work works on tasks until the context ends. Several goroutines may run it.
func (q *Queue) Work(ctx context.Context) {
	if q.config.Lower != nil {
		q.config.Lower()
	}
	q.work(ctx, &q.here)
}

// WorkElsewhere is Work for tasks that work elsewhere. Each needs a goroutine to go on at once.
func (q *Queue) WorkElsewhere(ctx context.Context) { q.work(ctx, &q.there) }

func (q *Queue) work(ctx context.Context, l *lane) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.turns:
			q.step(ctx, q.takeTurn(l))
		}
	}
}

// step runs one step of a task, and decides where the task goes.
func (q *Queue) step(ctx context.Context, k *Ticket) {
	stop := context.AfterFunc(ctx, k.cancel)
	defer stop()
	began := q.config.Now()
	more, err := false, k.ctx.Err()
	if err == nil {
		err = q.try(func() { more = k.task.Step(k.ctx) })
	}
	if more && err == nil && !q.stays(k, q.config.Now().Sub(began)) {
		err = q.try(k.task.Pause)
		if err == nil && q.unlessCancelled(k, q.wait) {
			return
		}
	} else if more && err == nil && q.unlessCancelled(k, q.giveTurn) {
		return
	}
	if err == nil && more {
		err = k.ctx.Err()
	}
	q.leave(k)
	k.end(err)
}

// try calls a method of a task. A panic ends the task, not the worker.
func (q *Queue) try(call func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			if q.config.Report != nil {
				q.config.Report(v)
			}
			err = ErrPanic
		}
	}()
	call()
	return nil
}

// stays reports whether a task that has worked for another while stays active: nothing waits,
// or its share is not used up and its client has no more active tasks than the next one
// would have.
func (q *Queue) stays(k *Ticket, worked time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	k.worked += worked
	q.place(k)
	switch {
	case k.away:
		return true
	case q.running > q.config.Active: // it has come back
		return false
	case len(q.line) == 0:
		return true
	}
	share := q.config.Share
	if slices.ContainsFunc(q.line, func(o *Ticket) bool { return !o.begun }) {
		share = q.config.First
	}
	other := q.line[next(q.line, q.active)].client
	mine, others := fair.Apart(k.client, other)
	return k.worked < share && q.active[mine] <= q.active[others]+1
}

// unlessCancelled lets an active task go on in some way, unless it was cancelled: Cancel finds
// no active task.
func (q *Queue) unlessCancelled(k *Ticket, goOn func(*Ticket)) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if k.ctx.Err() != nil {
		return false
	}
	goOn(k)
	return true
}

// wait puts an active task at the end of the line. The caller holds mu.
func (q *Queue) wait(k *Ticket) {
	q.deactivate(k)
	k.waiting = true
	q.line = append(q.line, k)
	q.admit()
}

// deactivate makes room for another task. The caller holds mu.
func (q *Queue) deactivate(k *Ticket) {
	if k.away {
		k.away = false
		q.away--
		return
	}
	q.running--
	count(q.active, k.client, -1)
}

// leave takes an active task out of the queue.
func (q *Queue) leave(k *Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.deactivate(k)
	q.release(k.client)
	q.admit()
}

// release forgets a task of a client. The caller holds mu.
func (q *Queue) release(client string) {
	q.held.Release(client)
	q.turns.Leave(client)
}

// end ends a task.
func (k *Ticket) end(err error) {
	k.cancel()
	k.task.End(err)
}

// Cancel ends a task: at once if it waits, or when its step returns.
func (k *Ticket) Cancel() {
	k.cancel()
	if k.queue.remove(k) {
		k.end(context.Canceled)
	}
}

// remove takes a waiting task out of the queue, and reports whether it was there.
func (q *Queue) remove(k *Ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !k.waiting {
		return false
	}
	k.waiting = false
	q.line = slices.DeleteFunc(q.line, func(o *Ticket) bool { return o == k })
	q.release(k.client)
	return true
}

// Place returns the place of a task in the queue: 1 for the next, 0 if it does not wait.
func (k *Ticket) Place() int {
	q := k.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if !k.waiting {
		return 0
	}
	line, active := slices.Clone(q.line), maps.Clone(q.active)
	for place := 1; ; place++ {
		i := next(line, active)
		if line[i] == k {
			return place
		}
		count(active, line[i].client, 1)
		line = slices.Delete(line, i, i+1)
	}
}

// Len returns the numbers of active and waiting tasks.
func (q *Queue) Len() (active, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.running, len(q.line)
}

// Close cancels all waiting tasks. The context of Work must have ended.
func (q *Queue) Close() {
	q.mu.Lock()
	list := q.line
	q.mu.Unlock()
	for _, k := range slices.Clone(list) {
		k.Cancel()
	}
	q.cancelReady(&q.here)
	q.cancelReady(&q.there)
}
