package clock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"quintet/live"
)

// Log keeps the heartbeats of all servers.
type Log interface {
	// WriteHeartbeat writes a heartbeat if the last one has the sequence number after; 0
	// if there is none. The error wraps live.ErrStale if another heartbeat came first,
	// and live.ErrFull if the disk is full.
	WriteHeartbeat(ctx context.Context, after uint64, h live.Heartbeat) (seq uint64, err error)

	// LastHeartbeat returns the last heartbeat; the zero Heartbeat if there is none.
	LastHeartbeat(ctx context.Context) (live.Heartbeat, error)
}

// Time limits on reading or writing a heartbeat. A cluster never answers what was sent
// while it had no leader, so retrying soon is better than waiting.
const (
	logTimeout       = 4 * time.Second
	logTimeoutShared = time.Second
	retryInterval    = 100 * time.Millisecond // after a failed heartbeat
)

// Run writes heartbeats until the context ends.
func (c *Clock) Run(ctx context.Context, l Log, now func() time.Time, logger *slog.Logger) {
	wait := HeartbeatInterval
	if c.config.Peers != nil {
		wait = 0 // learn the time of the peers at once
	}
	for outage := (outageLog{logger: logger}); ; {
		Sleep(ctx, wait)
		if ctx.Err() != nil {
			return
		}
		began := now()
		err := c.Heartbeat(ctx, l, now)
		wait = max(HeartbeatInterval-now().Sub(began), retryInterval)
		if err != nil {
			wait = retryInterval
		}
		if ctx.Err() == nil {
			outage.note(err, now())
		}
	}
}

// Heartbeat reads the last heartbeat and writes the next one.
func (c *Clock) Heartbeat(ctx context.Context, l Log, now func() time.Time) error {
	last, err := c.lastHeartbeat(ctx, l)
	if err != nil {
		return err
	}
	if c.shouldQuery(last, now()) {
		c.query(ctx, now)
	}
	sent := now()
	h, err := c.next(last, sent)
	if err != nil {
		return err
	}
	h.Seq, err = c.write(ctx, l, last.Seq, h)
	switch {
	case err == nil:
		c.heartbeatAccepted(h, sent, now())
		return nil
	case errors.Is(err, live.ErrFull):
		c.Rejected(now())
	case errors.Is(err, live.ErrStale) && c.query(ctx, now): // another server wrote first, and shares its lease
		return nil
	}
	return fmt.Errorf("writing a heartbeat: %w", err)
}

func (c *Clock) timeout() time.Duration {
	if c.config.Shared {
		return logTimeoutShared
	}
	return logTimeout
}

func (c *Clock) write(ctx context.Context, l Log, after uint64, h live.Heartbeat) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout())
	defer cancel()
	return l.WriteHeartbeat(ctx, after, h)
}

func (c *Clock) lastHeartbeat(ctx context.Context, l Log) (live.Heartbeat, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout()/2)
	defer cancel()
	h, err := l.LastHeartbeat(ctx)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sync.silentSince = time.Time{} // the peers may have written meanwhile
		return h, fmt.Errorf("reading the last heartbeat: %w", err)
	}
	return h, nil
}

// outageLog logs the beginning and the end of an outage, each once.
type outageLog struct {
	logger *slog.Logger
	since  time.Time
	logged bool
}

// quietTime is how long a server may lose the race to write, or wait for a peer's
// reading, before that is logged.
const quietTime = 5 * time.Second

func (o *outageLog) note(err error, t time.Time) {
	if err == nil {
		if o.logged {
			o.logger.Info("the service clock runs again")
		}
		o.since, o.logged = time.Time{}, false
		return
	}
	if o.since.IsZero() {
		o.since = t
	}
	quiet := errors.Is(err, live.ErrStale) || errors.Is(err, errNoReading)
	if !o.logged && (!quiet || t.Sub(o.since) > quietTime) {
		o.logged = true
		o.logger.Warn("the service clock stops: the log accepts no heartbeats of this server", "error", err)
	}
}
