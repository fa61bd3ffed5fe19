package serve

import (
	"context"
	"errors"
	"time"

	"quintet/live"
	"quintet/serve/hall"
)

// OpenRetention is how long games are kept open that never begin, by default.
const OpenRetention = 30 * 24 * time.Hour

const (
	expiryEvery = 10 * time.Minute
	expiryTick  = 10 * time.Second // until the index is complete, a sweep does nothing
	maxExpired  = 1000             // games that are called off in a sweep
	maxStuck    = 1000             // games that cannot be called off, and are remembered
)

// expiry calls off games that never began. It is not safe for concurrent use.
type expiry struct {
	server *Server
	last   time.Time       // of the last sweep
	stuck  map[string]bool // games that cannot be called off; without them a sweep might find no others
}

func newExpiry(s *Server) *expiry { return &expiry{server: s, stuck: map[string]bool{}} }

// sweep calls off the oldest games that never began, if their time is over, unless the
// last sweep was a short while ago.
func (x *expiry) sweep(ctx context.Context) {
	s := x.server
	now := s.config.Now()
	if s.config.OpenRetention == 0 || !s.ready.Load() || now.Sub(x.last) < expiryEvery {
		return
	}
	x.last = now
	ids, err := s.index.Expired(ctx, now.Add(-s.config.OpenRetention).UnixMilli(), maxExpired+len(x.stuck))
	if err != nil && ctx.Err() == nil {
		s.config.Log.Warn("games that never began cannot be looked for", "error", err)
	}
	for _, id := range ids {
		if x.stuck[id] {
			continue
		}
		err := s.hall.Do(ctx, id, live.Command{Do: live.Expire})
		switch {
		case err == nil || live.IsCode(err, live.CodeOver): // another server may have called it off
		case hall.IsRefusal(err) || errors.Is(err, live.ErrBroken):
			s.config.Log.Warn("a game that never began cannot be called off", "game", id, "error", err)
			if len(x.stuck) < maxStuck {
				x.stuck[id] = true
			}
		default: // the log takes nothing now
			return
		}
	}
}

// expire calls off games that never began, until the context ends.
func (s *Server) expire(ctx context.Context) {
	expired := newExpiry(s)
	for ctx.Err() == nil {
		sleep(ctx, expiryTick)
		expired.sweep(ctx)
	}
}
