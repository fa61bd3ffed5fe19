package scheduler

import (
	"context"
	"time"
)

// noteEnd records when a job ended, or that it is open again.
func (s *Scheduler) noteEnd(j *job) {
	if j.open() == j.state.Ended.IsZero() {
		return
	}
	j.state.Ended = time.Time{}
	if !j.open() {
		j.state.Ended = s.config.Now().UTC()
	}
	s.unsaved[j] = true
}

// removeOld removes the jobs that ended longer ago than Keep.
func (s *Scheduler) removeOld(ctx context.Context) {
	for _, id := range s.old() {
		if v, err := s.Remove(ctx, id); err == nil {
			s.config.Log.Info("removed an old job", "job", v.ID[:12], "state", v.Status)
		}
	}
}

// old records ends, and returns the jobs that ended longer ago than Keep.
func (s *Scheduler) old() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.config.Now()
	for _, j := range s.order {
		s.noteEnd(j)
		if ended := j.state.Ended; s.config.Keep > 0 && !ended.IsZero() && now.Sub(ended) > s.config.Keep {
			ids = append(ids, j.id)
		}
	}
	return ids
}
