package fair

import (
	"context"
	"sync"
)

// Queue hands out a limited number of slots. Requests for a slot wait in a Line. It is safe for
// concurrent use.
type Queue struct {
	slots int
	line  *Line[chan struct{}] // requests; the channel of one is closed when it has its slot

	mu      sync.Mutex // guards running
	running int
}

// NewQueue returns a queue with a number of slots. Up to total requests wait; callers limit those of
// a client.
func NewQueue(slots, total int) *Queue {
	return &Queue{slots: slots, line: NewLine[chan struct{}](0, total)}
}

// Acquire waits for a slot for the client of a context, see ClientOf. The caller gives it back with
// Release. The error is ErrFull or that of the context.
func (q *Queue) Acquire(ctx context.Context) error {
	ready, err := q.join(ClientOf(ctx))
	if ready == nil || err != nil {
		return err
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		if !q.line.Remove(func(c chan struct{}) bool { return c == ready }) {
			q.Release() // it has just got its slot
		}
		return ctx.Err()
	}
}

// join takes a free slot, or returns a channel that is closed when it has one.
func (q *Queue) join(client string) (ready chan struct{}, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running < q.slots {
		q.running++
		return nil, nil
	}
	ready = make(chan struct{})
	return ready, q.line.Push(client, false, ready)
}

// Release gives a slot back. The next request gets it.
func (q *Queue) Release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if next, ok := q.line.TryPop(); ok {
		close(next)
		return
	}
	q.running--
}

// Yield gives the caller's slot to the next request, and waits for another slot for the client of the
// context. It does nothing if no request waits.
func (q *Queue) Yield(ctx context.Context) {
	ready := make(chan struct{})
	q.mu.Lock()
	next, ok := q.line.exchange(ClientOf(ctx), ready)
	q.mu.Unlock()
	if ok {
		close(next)
		<-ready
	}
}

// Waiting returns how many requests wait for a slot.
func (q *Queue) Waiting() int { return q.line.Len() }
