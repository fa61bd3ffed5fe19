package clock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"quintet/live"
)

// Peers are the other servers on a shared log.
type Peers interface {
	// Announce sends a reading to all peers. It may be lost.
	Announce(r live.ClockReading) error

	// Query asks all peers for a reading, and returns the first answer.
	Query(ctx context.Context) (live.ClockReading, error)

	// Subscribe calls observe with each reading that a peer announces, and answer when
	// one asks; answer is not ok if this server is not synchronized. Both end with stop.
	Subscribe(observe func(live.ClockReading), answer func() (r live.ClockReading, ok bool)) (stop func(), err error)
}

// syncState is what a server knows of the heartbeats of all.
type syncState struct {
	seen        live.Heartbeat // the last heartbeat of any server
	seenAt      time.Time      // it was sent no later than this
	regressedAt time.Time      // since when the log shows an older heartbeat than seen; zero if it does not
	sent        live.Heartbeat // the last heartbeat of this server
	sentAt      time.Time
	silentSince time.Time // since when peers write heartbeats but answer no query; zero if not so
}

const (
	queryTimeout     = 300 * time.Millisecond // also bounds how old an answer can be
	silenceTimeout   = 3 * time.Second        // then the heartbeats of silent peers have to do
	regressTimeout   = 10 * time.Second       // then newer heartbeats count as lost
	announceInterval = 200 * time.Millisecond
)

var errNoReading = errors.New("no peer has given a reading yet")

// shouldQuery reports whether to ask peers for a reading: this server's lease may end
// before its next heartbeat is written, and a peer may hold one.
func (c *Clock) shouldQuery(last live.Heartbeat, t time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	nobody := last.Seq == c.sync.seen.Seq && t.Sub(c.sync.seenAt) > leaseTime
	return !nobody && (c.mustSync || t.Sub(c.renewed) > leaseTime-HeartbeatInterval+retryInterval)
}

// query asks peers for a reading and continues from it. It reports whether the lease
// that it shares lasts until after the next heartbeat.
func (c *Clock) query(ctx context.Context, now func() time.Time) bool {
	if c.config.Peers == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	began := now()
	r, err := c.config.Peers.Query(ctx)
	if err != nil {
		return false // no peer is there, or none is synchronized
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := now()
	if r.Epoch < c.epoch || t.Sub(began) > queryTimeout {
		return false
	}
	if !c.leased(t) || r.Epoch > c.epoch || r.Service > c.at(t) {
		c.set(r.Service, t.Add(r.Hold))
	}
	c.epoch, c.sync.silentSince = r.Epoch, time.Time{}
	c.renew(began.Add(r.Lease-leaseTime), t)
	return leaseTime-t.Sub(c.renewed) > HeartbeatInterval+2*retryInterval
}

// next returns the heartbeat to write after the last one of any server, or errNoReading
// if this server must first learn the time of a peer.
func (c *Clock) next(last live.Heartbeat, t time.Time) (h live.Heartbeat, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.regressed(last, t) {
		return h, fmt.Errorf("the log shows heartbeat %d as the last, after %d: %w", last.Seq, c.sync.seen.Seq, errNoReading)
	}
	c.observeHeartbeat(last, t)
	s := &c.sync
	switch {
	case c.leased(t) && last.Epoch <= c.epoch || c.halted: // a halted clock has not run during the outage
		h = live.Heartbeat{Service: max(c.at(t), last.Service), Epoch: c.epoch}
	case !c.config.Shared || t.Sub(s.seenAt) > leaseTime: // no lease is held: begin an epoch
		h = live.Heartbeat{Service: last.Service, Epoch: max(last.Epoch, c.epoch) + 1}
	case !s.silentSince.IsZero() && t.Sub(s.silentSince) > silenceTimeout:
		c.adopt(last, t)
		h = live.Heartbeat{Service: last.Service, Epoch: last.Epoch}
	default:
		if c.mustSync = true; s.silentSince.IsZero() {
			s.silentSince = t
		}
		return h, errNoReading
	}
	h.By = c.config.Name
	s.sent, s.sentAt = h, t
	return h, nil
}

// regressed reports whether the log shows an older heartbeat than it did. The answer then
// comes from a NATS server that does not know yet that it is no longer the leader. The
// caller holds mu.
func (c *Clock) regressed(last live.Heartbeat, t time.Time) bool {
	s := &c.sync
	switch {
	case last.Seq >= s.seen.Seq:
		s.regressedAt = time.Time{}
	case s.regressedAt.IsZero():
		s.regressedAt = t
	}
	return c.config.Shared && !s.regressedAt.IsZero() && t.Sub(s.regressedAt) <= regressTimeout
}

// adopt continues from the last heartbeat of peers that answer no query. The caller
// holds mu.
func (c *Clock) adopt(last live.Heartbeat, t time.Time) {
	if last.Epoch > c.epoch { // the hold may have just begun
		t = t.Add(c.holdAfterOutage())
	}
	c.set(last.Service, t)
	c.epoch = last.Epoch
}

// observeHeartbeat notes the last heartbeat in the log. It may be one of this server whose
// acknowledgement was lost. The caller holds mu.
func (c *Clock) observeHeartbeat(last live.Heartbeat, t time.Time) {
	s := &c.sync
	if last.Seq == s.seen.Seq {
		return
	}
	if last.Epoch != s.seen.Epoch {
		s.silentSince = time.Time{}
	}
	s.seen, s.seenAt = last, t
	if !c.config.Shared || last.By != c.config.Name {
		return
	}
	s.seenAt = s.sentAt
	if last.Service == s.sent.Service && last.Epoch == s.sent.Epoch {
		c.apply(last, s.sentAt, t)
	}
}

// heartbeatAccepted notes that the log accepted a heartbeat of this server.
func (c *Clock) heartbeatAccepted(h live.Heartbeat, sent, t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sync.seen, c.sync.seenAt = h, sent
	if c.resumeOnHeartbeat {
		c.resume(t)
	}
	if !c.halted {
		c.apply(h, sent, t)
	}
}

// apply continues from a heartbeat of this server that is in the log, and renews the
// lease. A heartbeat that took longer than a lease to be written gives none. The caller
// holds mu.
func (c *Clock) apply(h live.Heartbeat, sent, t time.Time) {
	if h.Epoch < c.epoch || t.Sub(sent) > leaseTime {
		return
	}
	switch {
	case h.Epoch > c.epoch: // an outage is over
		c.set(h.Service, later(c.start, t.Add(c.holdAfterOutage()))) // a server that starts slowly holds on, too
	case h.Service > c.at(t): // a peer is ahead
		c.set(h.Service, later(c.start, t))
	}
	if !c.config.Shared {
		sent = t // no other server can have written since
	}
	c.epoch, c.sync.silentSince = h.Epoch, time.Time{}
	c.renew(sent, t)
}

// observe notes a reading that a peer announced. It may be old, so the time never goes
// back to it.
func (c *Clock) observe(r live.ClockReading, t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch ahead := r.Service - c.at(t); {
	case r.Epoch > c.epoch:
		c.mustSync = true // the time has gone back, and this server missed it
	case r.Epoch == c.epoch && c.leased(t) && ahead > 0:
		c.set(r.Service, t.Add(r.Hold))
		c.limit += ahead
	}
}

// reading returns what to tell peers. It is not ok if this server is not synchronized.
func (c *Clock) reading(t time.Time) (r live.ClockReading, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return live.ClockReading{Service: c.at(t), Epoch: c.epoch, Hold: max(c.start.Sub(t), 0), Lease: leaseTime - t.Sub(c.renewed)}, c.leased(t)
}

// Exchange announces readings to peers, answers their queries and observes theirs, until
// the context ends. So servers differ by milliseconds, not by the time between heartbeats.
func (c *Clock) Exchange(ctx context.Context, now func() time.Time, logger *slog.Logger) {
	stop, err := c.config.Peers.Subscribe(
		func(r live.ClockReading) { c.observe(r, now()) },
		func() (live.ClockReading, bool) { return c.reading(now()) })
	if err != nil {
		logger.Error("cannot hear the clocks of other servers", "error", err)
		return
	}
	defer stop()
	for ctx.Err() == nil {
		if r, ok := c.reading(now()); ok {
			_ = c.config.Peers.Announce(r) // if it is lost, a query or a heartbeat makes up for it
		}
		Sleep(ctx, announceInterval)
	}
}
