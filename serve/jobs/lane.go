package jobs

import (
	"context"
	"slices"
)

// lane holds tasks that are ready for a step.
type lane struct {
	turns chan struct{} // one for each ready task
	ready []*Ticket     // the longest first
}

// giveTurn lets a task have another turn. The caller holds mu.
func (q *Queue) giveTurn(k *Ticket) {
	l := &q.here
	if k.away {
		l = &q.there
	}
	l.ready = append(l.ready, k)
	l.turns <- struct{}{} // buffered for all tasks
}

// takeTurn returns the task of a lane whose turn it is: the first one of the client whose last
// step is the longest ago. The caller has received from turns.
func (q *Queue) takeTurn(l *lane) *Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	best := 0
	for i, k := range l.ready {
		if q.turns.Before(k.client, l.ready[best].client) {
			best = i
		}
	}
	k := l.ready[best]
	l.ready = slices.Delete(l.ready, best, best+1)
	q.turns.Take(k.client)
	return k
}

// place notes whether a task works elsewhere. The caller holds mu.
func (q *Queue) place(k *Ticket) {
	switch away := k.task.Elsewhere(); {
	case away && !k.away && q.away < q.config.Elsewhere:
		q.deactivate(k)
		k.away = true
		q.away++
		q.admit()
	case !away && k.away:
		q.deactivate(k)
		q.activate(k)
	}
}

// cancelReady cancels the tasks of a lane.
func (q *Queue) cancelReady(l *lane) {
	for {
		select {
		case <-l.turns:
			k := q.takeTurn(l)
			q.leave(k)
			k.end(context.Canceled)
		default:
			return
		}
	}
}
