// Package clock keeps the service time, by which the players' clocks run. It is a
// logical clock that all servers on a log share, driven by heartbeats in that log.
//
// Heartbeats. Once a second a server writes the service time and its epoch to the log.
// The log accepts a heartbeat only if its writer knew the last one (compare-and-swap).
// Between heartbeats the service time follows the server's monotonic clock.
//
// Leases. A server is synchronized for two seconds after it sent a heartbeat that the
// log accepted. Only synchronized servers decide commands. A server that loses the race
// to write asks its peers for a reading, and shares the lease of the peer that answers.
//
// Epochs. If the last heartbeat in the log is older than a lease, no server can be
// synchronized: no move could be written. The first server that
// reaches the log again repeats the service time of that heartbeat under the next epoch.
// All servers continue from there, so no player is charged for the outage. The time then
// holds for a few seconds, in which players reconnect.
//
// A delayed heartbeat is rejected because another came first. Readings of an older epoch
// are ignored.
//
// A server that has the log to itself needs no leases. It also stops its clock while the
// log rejects events, or takes long to write one.
package clock

import (
	"context"
	"errors"
	"sync"
	"time"

	"quintet/live"
)

const (
	// HeartbeatInterval is the time between heartbeats of a server.
	HeartbeatInterval = time.Second

	// SlowWrite is how long the write of an event may take before the clock of a server
	// that has the log to itself stops: no player is charged for a stalled disk.
	SlowWrite = 500 * time.Millisecond

	leaseTime   = 2 * HeartbeatInterval
	maxRunAhead = 3 * HeartbeatInterval // how far the time runs past the last heartbeat
	syncTimeout = 2 * time.Second       // how long a command waits for the clock to be synchronized
)

// ErrNotSynced says that nothing may be decided, because the log accepts no heartbeats.
var ErrNotSynced = errors.New("the clock is not synchronized: the log accepts no heartbeats")

// Config describes the server that a Clock belongs to.
type Config struct {
	Hold   time.Duration // how long the time holds after a start, and after an outage of a shared log, while players reconnect
	Shared bool          // other servers write to the log, too
	Name   string        // of this server among them
	Peers  Peers         // those servers; nil if they cannot be reached
}

// Clock tells the service time. All methods are safe for concurrent use.
type Clock struct {
	config Config

	mu       sync.Mutex // guards the rest
	base     int64      // service time at start, in milliseconds
	start    time.Time  // in the future while the time holds
	limit    int64      // the service time does not pass this
	epoch    uint64
	renewed  time.Time // when the last accepted heartbeat was sent: the lease runs from there
	mustSync bool      // a newer epoch exists, or the server has just started: the lease is void
	sync     syncState

	halted            bool // the log rejects events: the time stops at base; only if not shared
	resumeOnHeartbeat bool // the next accepted heartbeat ends that
}

// New returns a clock that continues from the last heartbeat in the log.
func New(c Config, last live.Heartbeat, now time.Time) *Clock {
	return &Clock{
		config: c, epoch: last.Epoch, renewed: now, mustSync: c.Peers != nil,
		base: last.Service, start: now.Add(c.Hold), limit: last.Service + (c.Hold + maxRunAhead).Milliseconds(),
		sync: syncState{seen: last, seenAt: now},
	}
}

// Now returns the service time in milliseconds.
func (c *Clock) Now(t time.Time) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at(t)
}

func (c *Clock) at(t time.Time) int64 {
	if c.halted {
		return c.base
	}
	return min(c.base+max(t.Sub(c.start).Milliseconds(), 0), c.limit)
}

// Read returns the service time, and whether it is synchronized. If it is not, this
// server may be behind others, and what it decided would be charged to the next player.
func (c *Clock) Read(t time.Time) (service int64, synced bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at(t), c.leased(t)
}

// Synced reports whether this server holds a lease, so that it may decide commands.
func (c *Clock) Synced(t time.Time) bool {
	_, synced := c.Read(t)
	return synced
}

func (c *Clock) leased(t time.Time) bool { return !c.mustSync && t.Sub(c.renewed) <= leaseTime }

// Stopped reports whether the time has stopped because the log accepts no heartbeats.
func (c *Clock) Stopped(t time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.halted || c.at(t) >= c.limit || t.Sub(c.renewed) > maxRunAhead
}

// HoldLeft returns how long the time still holds while players reconnect.
func (c *Clock) HoldLeft(t time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.start.Sub(t), 0)
}

// WaitSynced waits until the clock is synchronized. It returns ErrNotSynced after two
// seconds, or as soon as the time has stopped.
func (c *Clock) WaitSynced(ctx context.Context, now func() time.Time) error {
	for began := now(); !c.Synced(now()); Sleep(ctx, 10*time.Millisecond) {
		if ctx.Err() != nil || now().Sub(began) > syncTimeout || c.Stopped(now()) {
			return errors.Join(ErrNotSynced, ctx.Err())
		}
	}
	return nil
}

// set makes the time run from a service time at a moment. The caller holds mu.
func (c *Clock) set(service int64, start time.Time) {
	c.base, c.start = service, start
}

// renew extends the lease to two seconds after sent, the moment at which an accepted
// heartbeat was sent. A void lease does not count. The caller holds mu.
func (c *Clock) renew(sent, t time.Time) {
	if c.mustSync || sent.After(c.renewed) {
		c.renewed, c.mustSync = sent, false
	}
	c.limit = c.base + max(t.Sub(c.start), 0).Milliseconds() + maxRunAhead.Milliseconds()
}

// holdAfterOutage is how long the time holds in a new epoch.
func (c *Clock) holdAfterOutage() time.Duration {
	if !c.config.Shared {
		return 0
	}
	return c.config.Hold
}

// Accepted notes that the log accepted an event. On a log of its own, a server knows by
// that, without a heartbeat, that an outage is over.
func (c *Clock) Accepted(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.config.Shared:
	case c.halted:
		c.resume(t)
	case !c.leased(t):
		c.set(c.sync.seen.Service, later(c.start, t))
		c.renew(t, t)
	}
}

// Rejected notes that the log rejected an event or a heartbeat. On a log of its own, a
// server stops its clock until one is accepted: a full disk may accept heartbeats when it
// no longer accepts events. On a shared log, one server's failure proves nothing.
func (c *Clock) Rejected(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.config.Shared {
		c.halt(t)
		c.resumeOnHeartbeat = true
	}
}

// WatchWrite stops the clock if the write of an event takes longer than SlowWrite. Call
// done when the write has ended; it reports whether the clock was stopped. On a shared log
// it does nothing: a write may be slow while a new leader is elected, and heartbeats
// tell whether the log accepts anything. The argument after starts timers.
func (c *Clock) WatchWrite(now func() time.Time, after func(task string, d time.Duration, f func()) *time.Timer) (done func() (stopped bool)) {
	if c.config.Shared {
		return func() bool { return false }
	}
	over, stopped := false, false // guarded by mu
	slow := after("slow write", SlowWrite, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !over {
			c.halt(now())
			stopped = true
		}
	})
	return func() bool {
		slow.Stop()
		c.mu.Lock()
		defer c.mu.Unlock()
		over = true
		return stopped
	}
}

// halt stops the time until an event is accepted. The caller holds mu.
func (c *Clock) halt(t time.Time) {
	c.base, c.halted = c.at(t), true
}

// resume ends a halt. A hold that is not over continues. The caller holds mu.
func (c *Clock) resume(t time.Time) {
	c.halted, c.resumeOnHeartbeat, c.start = false, false, later(c.start, t)
	c.renew(t, t)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Sleep waits for a time, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
