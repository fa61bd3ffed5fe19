package fair

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// The errors of a Queue.
var (
	ErrClient = errors.New("the client has too much waiting")
	ErrFull   = errors.New("too much waits")
)

// Config configures a Queue.
type Config struct {
	Slots int // how much runs at a time
	Each  int // how much of one client may wait and run
	Total int // how much may wait in all
}

// Queue hands out slots. Of those that wait, the urgent ones come first, and among these clients
// take turns. It is safe for concurrent use.
type Queue struct {
	config Config
	held   *Counter

	mu      sync.Mutex // guards the rest
	running int
	waiting []*waiter // the longest first
	turns   *Turns
}

// waiter waits for a slot.
type waiter struct {
	client string
	urgent bool
	ready  chan struct{} // closed when it has a slot
}

// NewQueue returns an empty queue.
func NewQueue(c Config) *Queue {
	return &Queue{config: c, held: NewCounter(c.Each), turns: NewTurns()}
}

// Acquire waits for a slot, which the caller gives back with Release. The error is ErrClient,
// ErrFull or that of the context.
func (q *Queue) Acquire(ctx context.Context, client string, urgent bool) error {
	w, err := q.join(client, urgent)
	if err != nil {
		return err
	}
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		q.giveUp(w)
		return ctx.Err()
	}
}

// join adds a waiter, or lets it run at once.
func (q *Queue) join(client string, urgent bool) (*waiter, error) {
	if !q.held.Acquire(client) {
		return nil, ErrClient
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running >= q.config.Slots && len(q.waiting) >= q.config.Total {
		q.held.Release(client)
		return nil, ErrFull
	}
	w := &waiter{client: client, urgent: urgent, ready: make(chan struct{})}
	q.turns.Enter(client)
	q.waiting = append(q.waiting, w)
	q.admit()
	return w, nil
}

// admit gives free slots to waiters. The caller holds mu.
func (q *Queue) admit() {
	for q.running < q.config.Slots && len(q.waiting) > 0 {
		best := 0
		for i, w := range q.waiting {
			if q.before(w, q.waiting[best]) {
				best = i
			}
		}
		w := q.waiting[best]
		q.waiting = slices.Delete(q.waiting, best, best+1)
		q.running++
		q.turns.Take(w.client)
		close(w.ready)
	}
}

// before reports whether a waiter gets a slot before another one that has waited longer.
func (q *Queue) before(a, b *waiter) bool {
	if a.urgent != b.urgent {
		return a.urgent
	}
	return q.turns.Before(a.client, b.client)
}

// giveUp ends the waiting of a waiter, which may just have got its slot.
func (q *Queue) giveUp(w *waiter) {
	q.mu.Lock()
	i := slices.Index(q.waiting, w)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.leave(w.client)
	}
	q.mu.Unlock()
	if i < 0 {
		q.Release(w.client)
	}
}

// Release gives the slot of a client back.
func (q *Queue) Release(client string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.leave(client)
	q.admit()
}

// leave forgets something of a client. The caller holds mu.
func (q *Queue) leave(client string) {
	q.turns.Leave(client)
	q.held.Release(client)
}

// Waiting returns how much waits.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
