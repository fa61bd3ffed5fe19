package classes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"quintet/people/class"
	"quintet/serve/api"
	"quintet/serve/clock"
	"quintet/serve/fair"
)

// This file sends marks to learning platforms. As with verdicts, the log is the queue: a mark is pending while it differs
// from the last class.Reported event of that student and assignment. A server that is killed between sending a
// mark and that event sends the mark again, which changes nothing.

// Limits of sending marks.
const (
	Reporters  = 4 // goroutines that run Report
	maxTurn    = 10
	retryAfter = time.Minute // if a platform fails; twice as long each time
	maxDoubled = 6
	rescan     = time.Hour // for marks whose server has stopped
)

// reports is the queue of classes with marks to send, and their retry state.
type reports struct {
	line *fair.Line[string]

	mu      sync.Mutex // guards the rest
	classes map[string]*reporting
}

// reporting is the retry state of a class.
type reporting struct {
	queued   bool
	failures int
	due      time.Time               // after a failure
	refused  map[[2]string]time.Time // when marks of students and assignments are due again
	trouble  string                  // for the teacher
}

// change changes the state of a class.
func (q *reports) change(id string, f func(*reporting)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.classes[id] == nil {
		q.classes[id] = &reporting{refused: map[[2]string]time.Time{}}
	}
	f(q.classes[id])
}

// forget forgets the classes that a function selects.
func (q *reports) forget(which func(id string) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.classes, func(id string, r *reporting) bool { return !r.queued && which(id) })
}

// fail notes a failure, unless err is nil.
func (r *reporting) fail(err error, now time.Time) {
	if err == nil {
		r.failures, r.due = 0, time.Time{}
		return
	}
	r.trouble, r.due = api.Clip(err.Error(), 300), now.Add(retryAfter<<min(r.failures, maxDoubled))
	r.failures++
}

// refuse notes that a platform refuses a mark.
func (r *reporting) refuse(m class.Report, wait time.Duration, err error) {
	r.trouble, r.refused[[2]string{m.Student, m.Assignment}] = api.Clip(err.Error(), 300), m.At.Add(wait)
}

// retry makes refused marks of a student due at once. If student is "", it makes all marks due, also after a failure.
func (r *reporting) retry(student string) {
	if student == "" {
		r.failures, r.due = 0, time.Time{}
	}
	maps.DeleteFunc(r.refused, func(k [2]string, _ time.Time) bool { return student == "" || k[0] == student })
}

// note records the last problem for the teacher of a class.
func (s *Service) note(id string, err error) {
	s.reports.change(id, func(r *reporting) { r.trouble = api.Clip(err.Error(), 300) })
}

// clientOf returns the client of a class for limits: teachers take turns, and then their classes.
func clientOf(c class.Class) string { return c.Teacher + fair.Part + c.ID }

// report queues a class if it has platforms, unless it waits after a failure.
func (s *Service) report(id string) {
	c, ok := s.directory.Class(id)
	if !ok || len(c.Platforms) == 0 {
		return
	}
	now := s.Now()
	s.reports.change(id, func(r *reporting) {
		if !r.queued && !now.Before(r.due) {
			r.queued = s.reports.line.Push(clientOf(c), false, id) == nil
		}
	})
}

// Rescan queues classes again until the context ends: after failures, and all of them once an hour.
func (s *Service) Rescan(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		all := n%int(rescan/retryAfter) == 0
		s.reports.forget(func(id string) bool { _, ok := s.directory.Class(id); return !ok })
		for _, c := range s.directory.All(func(c class.Class) bool { return len(c.Platforms) > 0 }) {
			again := all
			s.reports.change(c.ID, func(r *reporting) { again = again || r.failures > 0 || len(r.refused) > 0 })
			if again {
				s.report(c.ID)
			}
		}
		clock.Sleep(ctx, retryAfter)
	}
}

// Report sends marks until the context ends. Several goroutines may run it.
func (s *Service) Report(ctx context.Context) {
	for ctx.Err() == nil {
		id, err := s.reports.line.Pop(ctx)
		if err != nil {
			return
		}
		if err = s.sendMarks(ctx, id); err != nil && ctx.Err() == nil {
			s.Log.Warn("marks were not sent to a platform", "class", id, "error", err)
		}
		now := s.Now()
		s.reports.change(id, func(r *reporting) { r.queued = false; r.fail(err, now) })
		if _, _, list, err := s.unreported(ctx, id); err == nil && len(list) > 0 { // a mark may have come meanwhile
			s.report(id)
		}
	}
}

// unreported returns the marks of a class that are to be sent now.
func (s *Service) unreported(ctx context.Context, id string) (c class.Class, d *document, list []class.Report, err error) {
	c, ok := s.directory.Class(id)
	if !ok {
		return c, nil, nil, nil
	}
	if d, err = s.document(ctx, id); err != nil {
		return c, nil, nil, err
	}
	now := s.Now()
	d.view(func(st *class.State) { list = st.Unreported(c, now) })
	s.reports.change(id, func(r *reporting) {
		maps.DeleteFunc(r.refused, func(_ [2]string, until time.Time) bool { return !now.Before(until) })
		list = slices.DeleteFunc(list, func(m class.Report) bool { _, ok := r.refused[[2]string{m.Student, m.Assignment}]; return ok })
	})
	return c, d, list, nil
}

// sendMarks sends some marks of a class.
func (s *Service) sendMarks(ctx context.Context, id string) error {
	c, d, list, err := s.unreported(ctx, id)
	if err != nil || len(list) == 0 {
		return err
	}
	key, err := s.key(c)
	if err != nil {
		return err
	}
	sender := s.config.Tool.NewSender(key)
	for _, m := range list[:min(len(list), maxTurn)] {
		wait, err := sender.Send(ctx, c.Lines[m.Line], m)
		switch {
		case wait > 0:
			s.reports.change(id, func(r *reporting) { r.refuse(m, wait, err) })
			continue
		case err == nil:
			err = s.sent(ctx, d, m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sent notes that a platform has a mark. If another server has sent one at the same time, it is not known which of them
// the platform has: then the mark is sent again.
func (s *Service) sent(ctx context.Context, d *document, m class.Report) error {
	e := class.Event{Student: m.Student, To: m.Assignment, Points: m.Mark, Of: m.Of, Line: m.Line, Sent: m.At.UnixMilli()}
	err := s.append(ctx, d, class.Reported, e, func(st *class.State) error {
		if !st.Follows(m) {
			return errJudged
		}
		return nil
	})
	if errors.Is(err, errJudged) {
		e.Line = -1
		err = s.append(ctx, d, class.Reported, e, nil)
	}
	return err
}
