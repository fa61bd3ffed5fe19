package scheduler

import (
	"context"
	"time"
)

// noteEnd notes when a job came to need no more work, or that it needs some again.
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

// removeOld removes the jobs whose end is longer ago than Keep.
func (h *Scheduler) removeOld(ctx context.Context) {
	for _, id := range h.old() {
		if v, err := h.Remove(ctx, id); err == nil {
			h.config.Log.Info("an old job is removed", "job", v.ID[:12], "state", v.Status)
		}
	}
}

// old returns the jobs whose end is longer ago than Keep, and notes ends.
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
