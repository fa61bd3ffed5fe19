package scheduler

import (
	"context"
	"time"
)

// noteEnd records when a job ended, or that it is open again.
func (h *Scheduler) noteEnd(j *job) {
	if j.open() == j.state.Ended.IsZero() {
		return
	}
	j.state.Ended = time.Time{}
	if !j.open() {
		j.state.Ended = h.config.Now().UTC()
	}
	h.unsaved[j] = true
}

// removeOld removes the jobs that ended longer ago than Keep.
func (h *Scheduler) removeOld(ctx context.Context) {
	for _, id := range h.old() {
		if v, err := h.Remove(ctx, id); err == nil {
			h.config.Log.Info("removed an old job", "job", v.ID[:12], "state", v.Status)
		}
	}
}

// old records ends, and returns the jobs that ended longer ago than Keep.
func (h *Scheduler) old() (ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.config.Now()
	for _, j := range h.order {
		h.noteEnd(j)
		if ended := j.state.Ended; h.config.Keep > 0 && !ended.IsZero() && now.Sub(ended) > h.config.Keep {
			ids = append(ids, j.id)
		}
	}
	return ids
}
