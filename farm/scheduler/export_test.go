package scheduler

import (
	"context"
	"time"
)

// Resume is what Run does after this process was paused.
func (s *Scheduler) Resume(now time.Time) { s.resume(now) }

// DecideAll resolves all disputes that wait, in place of Run.
func (s *Scheduler) DecideAll(ctx context.Context) {
	for {
		select {
		case d := <-s.disputes:
			s.resolve(ctx, d)
		default:
			return
		}
	}
}

// RemoveOld is what Run does every second.
func (s *Scheduler) RemoveOld(ctx context.Context) {
	s.saveStates(ctx)
	s.removeOld(ctx)
}
