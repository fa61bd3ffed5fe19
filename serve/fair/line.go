package fair

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// The errors of Line.Push and Queue.Acquire.
var (
	ErrClient = errors.New("the client has too much waiting")
	ErrFull   = errors.New("too much is waiting")
)

// Line is a queue of work. Urgent work comes first; among equally urgent work, clients take turns. It
// is safe for concurrent use.
type Line[T any] struct {
	total       int
	newestFirst bool          // urgent entries do not take turns
	held        *Counter      // of each client
	ready       chan struct{} // has a token for each entry

	mu      sync.Mutex // guards the rest
	waiting []waiting[T]
	turns   *Turns
}

// waiting is an entry of a Line.
type waiting[T any] struct {
	client string
	urgent bool
	value  T
}

// NewLine returns an empty line, which holds up to each entries of a client (0 is no limit), and up to
// total entries of all clients.
func NewLine[T any](each, total int) *Line[T] {
	return &Line[T]{total: total, held: NewCounter(each), ready: make(chan struct{}, total), turns: NewTurns()}
}

// Push adds an entry of a client. The error is ErrClient or ErrFull.
func (l *Line[T]) Push(client string, urgent bool, value T) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case len(l.waiting) >= l.total:
		return ErrFull
	case !l.held.Acquire(client):
		return ErrClient
	}
	l.add(client, urgent, value)
	return nil
}

// exchange removes the next entry of a line without a limit of clients, and adds another. It does
// nothing if the line is empty.
func (l *Line[T]) exchange(client string, value T) (next T, ok bool) {
	if next, ok = l.TryPop(); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.held.Acquire(client)
		l.add(client, false, value)
	}
	return next, ok
}

// add adds an entry. The caller holds mu.
func (l *Line[T]) add(client string, urgent bool, value T) {
	l.turns.Enter(client)
	l.waiting = append(l.waiting, waiting[T]{client, urgent, value})
	l.ready <- struct{}{} // it has room for all
}

// Pop removes the next entry, and waits for one if the line is empty.
func (l *Line[T]) Pop(ctx context.Context) (value T, err error) {
	for {
		select {
		case <-ctx.Done():
			return value, ctx.Err()
		case <-l.ready:
			if value, ok := l.next(); ok {
				return value, nil
			}
		}
	}
}

// TryPop removes the next entry; ok is false if the line is empty.
func (l *Line[T]) TryPop() (value T, ok bool) {
	select {
	case <-l.ready:
		return l.next()
	default:
		return value, false
	}
}

// next removes the next entry; ok is false if Remove has emptied the line meanwhile.
func (l *Line[T]) next() (value T, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		return value, false
	}
	best := 0
	for i, w := range l.waiting {
		if l.before(w, l.waiting[best]) {
			best = i
		}
	}
	w := l.waiting[best]
	l.turns.Take(w.client)
	l.delete(best)
	return w.value, true
}

// before reports whether a comes before b, which has waited longer.
func (l *Line[T]) before(a, b waiting[T]) bool {
	if a.urgent != b.urgent || a.urgent && l.newestFirst {
		return a.urgent
	}
	return l.turns.Before(a.client, b.client)
}

// Remove removes the first entry that a function selects, and reports whether there was one.
func (l *Line[T]) Remove(match func(value T, urgent bool) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.waiting, func(w waiting[T]) bool { return match(w.value, w.urgent) })
	if i < 0 {
		return false
	}
	l.delete(i)
	select {
	case <-l.ready:
	default: // Pop has the token, and will find nothing
	}
	return true
}

// delete deletes the ith entry. The caller holds mu.
func (l *Line[T]) delete(i int) {
	client := l.waiting[i].client
	l.waiting = slices.Delete(l.waiting, i, i+1)
	l.turns.Leave(client)
	l.held.Release(client)
}

// Len returns the number of entries.
func (l *Line[T]) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}
