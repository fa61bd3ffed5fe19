package play

import (
	"context"
	"errors"
	"time"

	"quintet/live"
	"quintet/serve/clock"
	"quintet/serve/hall"
)

const (
	expiryEvery = 10 * time.Minute
	expiryTick  = 10 * time.Second // frequent, because a sweep does nothing until the index is complete
	maxExpired  = 1000             // games ended in one sweep, of each kind
	maxStuck    = 1000             // remembered games that cannot be ended
)

// expire ends games that their players have left, until the context ends: the oldest that
// never began, and the oldest without a clock in which no side has moved for long.
func (s *Service) expire(ctx context.Context) {
	var last time.Time         // of the last sweep
	stuck := map[string]bool{} // games that cannot be ended, which sweeps skip
	for ; ctx.Err() == nil; clock.Sleep(ctx, expiryTick) {
		if now := s.Now(); s.Ready.Load() && now.Sub(last) >= expiryEvery {
			last = now
			s.endAll(ctx, s.config.OpenRetention, s.index.Expired, stuck)
			s.endAll(ctx, s.config.IdleRetention, s.index.Idle, stuck)
		}
	}
}

// endAll ends the games that find returns, those last updated longer ago than the retention; 0
// keeps them forever.
func (s *Service) endAll(ctx context.Context, retention time.Duration, find func(context.Context, int64, int) ([]string, error), stuck map[string]bool) {
	if retention == 0 {
		return
	}
	ids, err := find(ctx, s.Now().Add(-retention).UnixMilli(), maxExpired+len(stuck))
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("finding games that were left failed", "error", err)
	}
	for _, id := range ids {
		if stuck[id] {
			continue
		}
		_, err := s.hall.Do(ctx, id, live.Command{Do: live.Expire})
		switch {
		case err == nil || live.IsCode(err, live.CodeOver): // another server may have ended it
		case hall.IsRefusal(err) || errors.Is(err, live.ErrBroken):
			s.Log.Warn("ending a game that was left failed", "game", id, "error", err)
			if len(stuck) < maxStuck {
				stuck[id] = true
			}
		default: // the log does not accept events now
			return
		}
	}
}
