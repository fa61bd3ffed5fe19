package scheduler

import (
	"context"
	"time"
)

// Resume is what Run does after this process was paused.
func (h *Scheduler) Resume(now time.Time) { h.resume(now) }

// DecideAll resolves all disputes that wait, in place of Run.
func (h *Scheduler) DecideAll(ctx context.Context) {
	for {
		select {
		case d := <-h.disputes:
			h.resolve(ctx, d)
		default:
			return
		}
	}
}

// RemoveOld is what Run does every second.
func (h *Scheduler) RemoveOld(ctx context.Context) {
	h.saveStates(ctx)
	h.removeOld(ctx)
}
