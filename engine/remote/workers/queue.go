package workers

import (
	"slices"

	"github.com/nats-io/nats.go"
)

// queue is a queue group of NATS, which a worker joins while it can take a request and leaves
// while it cannot, so that NATS sends requests to workers that are free.
type queue struct {
	join   func() (*nats.Subscription, error)
	tokens []chan struct{} // a request takes one of each
	sub    *nats.Subscription
}

// free reports whether a request finds its tokens.
func (q *queue) free() bool {
	return !slices.ContainsFunc(q.tokens, func(c chan struct{}) bool { return len(c) == cap(c) })
}

// set joins or leaves the group. Requests that have arrived before are still answered.
func (q *queue) set(in bool) (err error) {
	switch {
	case in && q.sub == nil:
		q.sub, err = q.join()
	case !in && q.sub != nil:
		err = q.sub.Drain()
		q.sub = nil
	}
	return err
}

// enter takes the tokens of a request, and reports whether there were some.
func (w *Worker) enter(q *queue) bool {
	if w.ctx.Err() != nil {
		return false
	}
	for i, tokens := range q.tokens {
		select {
		case tokens <- struct{}{}:
		default:
			for _, taken := range q.tokens[:i] {
				<-taken
			}
			return false
		}
	}
	w.regroup()
	return true
}

// leave returns the tokens of a request. It comes before the last answer: the next request may
// follow that at once.
func (w *Worker) leave(q *queue) {
	for _, tokens := range q.tokens {
		<-tokens
	}
	w.regroup()
}

// regroup joins the groups whose requests the worker can take, and leaves the others.
func (w *Worker) regroup() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, q := range w.queues {
		_ = q.set(w.ctx.Err() == nil && q.free()) // the connection may be closed
	}
}
