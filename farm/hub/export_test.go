package hub

import (
	"context"
	"time"
)

// Resume is what Run does after this process was paused.
func (h *Hub) Resume(now time.Time) { h.resume(now) }

// DecideAll decides all disputes that wait, in place of Run.
func (h *Hub) DecideAll(ctx context.Context) {
	for {
		select {
		case d := <-h.disputes:
			h.decide(ctx, d)
		default:
			return
		}
	}
}

// RemoveOld is what Run does every second.
func (h *Hub) RemoveOld(ctx context.Context) {
	h.saveStates(ctx)
	h.removeOld(ctx)
	h.removeUnused(ctx)
}
