package serve

import (
	"context"
	"errors"
	"time"

	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// Times after which games are ended that their players have left.
const (
	OpenRetention = 30 * 24 * time.Hour // default for games that never began
	IdleRetention = 60 * 24 * time.Hour // default for games without a clock
)

const (
	expiryEvery = 10 * time.Minute
	expiryTick  = 10 * time.Second // frequent, because a sweep does nothing until the index is complete
	maxExpired  = 1000             // games ended in one sweep, of each kind
	maxStuck    = 1000             // remembered games that cannot be ended
)

// expiry ends games that their players have left. It is not safe for concurrent use.
type expiry struct {
	server *Server
	last   time.Time       // time of the last sweep
	stuck  map[string]bool // games that cannot be ended, which sweeps skip
}

func newExpiry(s *Server) *expiry { return &expiry{server: s, stuck: map[string]bool{}} }

// sweep ends the oldest games that never began, and the oldest without a clock in which
// no side has moved for long, unless the last sweep was recent.
func (x *expiry) sweep(ctx context.Context) {
	s := x.server
	now := s.Now()
	if !s.Ready.Load() || now.Sub(x.last) < expiryEvery {
		return
	}
	x.last = now
	x.end(ctx, now, s.config.OpenRetention, s.index.Expired)
	x.end(ctx, now, s.config.IdleRetention, s.index.Idle)
}

// end ends the games that find returns, those last updated longer ago than the retention; 0
// keeps them forever.
func (x *expiry) end(ctx context.Context, now time.Time, retention time.Duration, find func(context.Context, int64, int) ([]string, error)) {
	if retention == 0 {
		return
	}
	s := x.server
	ids, err := find(ctx, now.Add(-retention).UnixMilli(), maxExpired+len(x.stuck))
	if err != nil && ctx.Err() == nil {
		s.Log.Warn("finding games that were left failed", "error", err)
	}
	for _, id := range ids {
		if x.stuck[id] {
			continue
		}
		_, err := s.hall.Do(ctx, id, live.Command{Do: live.Expire})
		switch {
		case err == nil || live.IsCode(err, live.CodeOver): // another server may have ended it
		case hall.IsRefusal(err) || errors.Is(err, live.ErrBroken):
			s.Log.Warn("ending a game that was left failed", "game", id, "error", err)
			if len(x.stuck) < maxStuck {
				x.stuck[id] = true
			}
		default: // the log does not accept events now
			return
		}
	}
}

// expire ends games that their players have left, until the context ends.
func (s *Server) expire(ctx context.Context) {
	expired := newExpiry(s)
	for ctx.Err() == nil {
		api.Sleep(ctx, expiryTick)
		expired.sweep(ctx)
	}
}
