package fair

import (
	"context"
	"sync"
)

// Queue hands out a limited number of slots. Requests for a slot wait in a Line. It is safe for
// concurrent use.
type Queue struct {
	slots int
	line  *Line[chan error] // requests; the channel of one gets nil with its slot, or ErrFull

	mu      sync.Mutex // guards running
	running int
}

// NewQueue returns a queue with a number of slots. Up to total requests wait; callers limit those of
// a client.
func NewQueue(slots, total int) *Queue {
	q := &Queue{slots: slots, line: NewLine[chan error](0, total)}
	q.line.newestFirst = true
	return q
}

// Acquire waits for a slot for the client of a context, see ClientOf. The caller gives it back with
// Release. The error is ErrFull or that of the context.
func (q *Queue) Acquire(ctx context.Context) error { return q.acquire(ctx, false) }

// AcquireUrgent is Acquire for a request that goes before others. The newest goes first, and a full queue refuses the
// oldest for any new request: under overload, some are then served at once. In order of arrival, all would be served too late.
func (q *Queue) AcquireUrgent(ctx context.Context) error { return q.acquire(ctx, true) }

func (q *Queue) acquire(ctx context.Context, urgent bool) error {
	ready, err := q.join(ClientOf(ctx), urgent)
	if ready == nil || err != nil {
		return err
	}
	select {
	case err := <-ready:
		return err
	case <-ctx.Done():
		if !q.line.Remove(func(c chan error, _ bool) bool { return c == ready }) && <-ready == nil {
			q.Release() // it has just got its slot
		}
		return ctx.Err()
	}
}

// join takes a free slot, or returns a channel that gets nil with a slot, or an error.
func (q *Queue) join(client string, urgent bool) (ready chan error, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running < q.slots {
		q.running++
		return nil, nil
	}
	ready = make(chan error, 1)
	err = q.line.Push(client, urgent, ready)
	refuse := func(oldest chan error, urgent bool) bool {
		if urgent {
			oldest <- err
		}
		return urgent
	}
	if err != nil && q.line.Remove(refuse) {
		err = q.line.Push(client, urgent, ready)
	}
	return ready, err
}

// Release gives a slot back. The next request gets it.
func (q *Queue) Release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if next, ok := q.line.TryPop(); ok {
		next <- nil
		return
	}
	q.running--
}

// Yield gives the caller's slot to the next request, and waits for another slot for the client of the
// context. It does nothing if no request waits.
func (q *Queue) Yield(ctx context.Context) {
	ready := make(chan error, 1)
	q.mu.Lock()
	next, ok := q.line.exchange(ClientOf(ctx), ready)
	q.mu.Unlock()
	if ok {
		next <- nil
		<-ready //nolint:errcheck // it is nil: only urgent requests are refused
	}
}

// Waiting returns how many requests wait for a slot.
func (q *Queue) Waiting() int { return q.line.Len() }
