package api

import (
	"maps"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate is a token bucket: a burst, refilled at a number per second. The zero Rate is no
// limit.
type Rate struct {
	Burst  float64
	Second float64
}

// Bucket returns a full bucket.
func (r Rate) Bucket() *rate.Limiter { return rate.NewLimiter(rate.Limit(r.Second), int(r.Burst)) }

// Limiter applies a Rate to each of many clients, with a token bucket for each.
type Limiter struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex // guards the rest
	buckets map[string]*rate.Limiter
	visited int // buckets that were looked at, to drop some
	sweepAt int // how many buckets there are when it looks next for those that are full
}

// newLimiter returns a Limiter.
func newLimiter(r Rate, now func() time.Time) *Limiter {
	return &Limiter{rate: r, now: now, buckets: map[string]*rate.Limiter{}}
}

// take takes a token of a client. If there is none, it returns how long to wait for one.
func (l *Limiter) take(who string) (wait time.Duration) {
	if l.rate == (Rate{}) {
		return 0
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[who]
	if b == nil {
		l.sweep(now)
		b = l.rate.Bucket()
		l.buckets[who] = b
	}
	token := b.ReserveN(now, 1)
	if wait = token.DelayFrom(now); wait > 0 {
		token.CancelAt(now)
	}
	return wait
}

// GiveBack returns a token.
func (l *Limiter) GiveBack(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.buckets[who]; b != nil {
		b.AllowN(l.now(), -1) // Reservation.Cancel gives nothing back once the time to act has come
	}
}

// manyBuckets is the number of buckets below which there are no sweeps.
const manyBuckets = 10_000

// sweep drops full buckets when their number has doubled since the last sweep. The amortized
// cost of a new address is thus small even if no bucket can be dropped.
func (l *Limiter) sweep(now time.Time) {
	if len(l.buckets) < max(l.sweepAt, manyBuckets) {
		return
	}
	l.visited += len(l.buckets)
	maps.DeleteFunc(l.buckets, func(_ string, b *rate.Limiter) bool { return b.TokensAt(now) >= l.rate.Burst })
	l.sweepAt = 2 * len(l.buckets)
}

// Limited takes a token from a limiter, or returns a problem that says when to retry.
func (b *Base) Limited(l *Limiter, who, kind, what string) error {
	wait := l.take(who)
	if wait == 0 {
		return nil
	}
	until := b.Now().Add(wait)
	p := Problemf(http.StatusTooManyRequests, "limited", "%s: more than %.0f at once, or %.2g a second: try again after %s",
		what, l.rate.Burst, l.rate.Second, until.UTC().Format("15:04:05 MST"))
	p.Until = until.UTC().Format(time.RFC3339Nano)
	p.After = int64(wait/time.Second) + 1
	return p.WithReason("limited." + kind)
}

// LimitCreates counts something new that is stored permanently. One limit counts all of it:
// games, rematches, reviews and studies.
func (b *Base) LimitCreates(from string) error {
	return b.Limited(b.Limits.Creates, from, "games", "new games from your address")
}

// ConnLimiter limits how many long-lived connections one address holds.
type ConnLimiter struct {
	what string
	max  int // unlimited if 0

	mu   sync.Mutex // guards held
	held map[string]int
}

// newConnLimiter returns a ConnLimiter for what clients hold, such as sockets.
func newConnLimiter(what string, most int) *ConnLimiter {
	return &ConnLimiter{what: what, max: most, held: map[string]int{}}
}

// acquire counts a connection of an address. It fails at the limit.
func (c *ConnLimiter) acquire(who string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.max > 0 && c.held[who] >= c.max {
		return false
	}
	c.held[who]++
	return true
}

func (c *ConnLimiter) release(who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[who]--; c.held[who] <= 0 {
		delete(c.held, who)
	}
}

// Acquire counts a connection of the address of a request, until the caller calls release. It
// fails at the limit.
func (b *Base) Acquire(c *ConnLimiter, r *http.Request) (release func(), err error) {
	from := b.Address(r)
	if !c.acquire(from) {
		return nil, b.tooManyConns(c)
	}
	return func() { c.release(from) }, nil
}

// tooManyConns is the problem of an address that is at its limit of connections.
func (b *Base) tooManyConns(c *ConnLimiter) *Problem {
	const wait = 10 * time.Second // or as soon as one ends
	p := Problemf(http.StatusTooManyRequests, "limited", "%s of your address: more than %d at a time: end one of them first", c.what, c.max)
	p.Until = b.Now().Add(wait).UTC().Format(time.RFC3339Nano)
	p.After = int64(wait / time.Second)
	return p.WithReason("limited.requests")
}
