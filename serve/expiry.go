package serve

import (
	"context"
	"errors"
	"time"

	"quintet/live"
	"quintet/serve/hall"
)

// OpenRetention is the default time after which a game that never began is aborted.
const OpenRetention = 30 * 24 * time.Hour

const (
	expiryEvery = 10 * time.Minute
	expiryTick  = 10 * time.Second // frequent, because a sweep does nothing until the index is complete
	maxExpired  = 1000             // games aborted in one sweep
	maxStuck    = 1000             // remembered games that cannot be aborted
)

// expiry aborts games that never began. It is not safe for concurrent use.
type expiry struct {
	server *Server
	last   time.Time       // time of the last sweep
	stuck  map[string]bool // games that cannot be aborted, which sweeps skip
}

func newExpiry(s *Server) *expiry { return &expiry{server: s, stuck: map[string]bool{}} }

// sweep aborts the oldest expired games that never began, unless the last sweep was
// recent.
func (x *expiry) sweep(ctx context.Context) {
	s := x.server
	now := s.config.Now()
	if s.config.OpenRetention == 0 || !s.ready.Load() || now.Sub(x.last) < expiryEvery {
		return
	}
	x.last = now
	ids, err := s.index.Expired(ctx, now.Add(-s.config.OpenRetention).UnixMilli(), maxExpired+len(x.stuck))
	if err != nil && ctx.Err() == nil {
		s.config.Log.Warn("finding games that never began failed", "error", err)
	}
	for _, id := range ids {
		if x.stuck[id] {
			continue
		}
		err := s.hall.Do(ctx, id, live.Command{Do: live.Expire})
		switch {
		case err == nil || live.IsCode(err, live.CodeOver): // another server may have aborted it
		case hall.IsRefusal(err) || errors.Is(err, live.ErrBroken):
			s.config.Log.Warn("aborting a game that never began failed", "game", id, "error", err)
			if len(x.stuck) < maxStuck {
				x.stuck[id] = true
			}
		default: // the log does not accept events now
			return
		}
	}
}

// expire aborts games that never began, until the context ends.
func (s *Server) expire(ctx context.Context) {
	expired := newExpiry(s)
	for ctx.Err() == nil {
		sleep(ctx, expiryTick)
		expired.sweep(ctx)
	}
}
