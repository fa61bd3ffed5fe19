package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"quintet/live"
	"quintet/serve/fair"
)

// Rate is a token bucket: a burst, refilled at a number per second. The zero Rate is no
// limit.
type Rate struct {
	Burst  float64
	Second float64
}

// Bucket returns a full bucket.
func (r Rate) Bucket() *rate.Limiter { return rate.NewLimiter(rate.Limit(r.Second), int(r.Burst)) }

// Limiter applies a Rate to each of many clients, with a token bucket for each and for the networks
// that it belongs to, see fair.Networks.
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

// take takes n tokens of a client and of its networks. If one of them has fewer, it takes none and
// returns how long to wait.
func (l *Limiter) take(who string, n int) (wait time.Duration) {
	if l.rate == (Rate{}) {
		return 0
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	var buckets []*rate.Limiter
	for level, network := range fair.Networks(who) {
		b := l.bucket(network, level, now)
		if missing := float64(n) - b.TokensAt(now); missing > 0 {
			wait = max(wait, time.Duration(math.Ceil(missing/float64(b.Limit())*float64(time.Second))))
		}
		buckets = append(buckets, b)
	}
	for _, b := range buckets {
		if wait == 0 {
			b.AllowN(now, n)
		}
	}
	return wait
}

// Take takes a token of a client and of its networks, and reports whether there was one.
func (l *Limiter) Take(who string) bool { return l.take(who, 1) == 0 }

// charge takes n tokens of a client and of its networks, even if they have fewer. The client is then refused
// until the debt is paid.
func (l *Limiter) charge(who string, n int) {
	if l.rate == (Rate{}) {
		return
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for level, network := range fair.Networks(who) {
		l.bucket(network, level, now).ReserveN(now, n)
	}
}

// bucket returns the bucket of a network. The caller holds mu.
func (l *Limiter) bucket(network string, level int, now time.Time) *rate.Limiter {
	b := l.buckets[network]
	if b == nil {
		l.sweep(now)
		share := float64(fair.Share(1, level))
		b = Rate{l.rate.Burst * share, l.rate.Second * share}.Bucket()
		l.buckets[network] = b
	}
	return b
}

// GiveBack gives n tokens back to a client.
func (l *Limiter) GiveBack(who string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, network := range fair.Networks(who) {
		if b := l.buckets[network]; b != nil {
			b.AllowN(l.now(), -n) // Reservation.Cancel gives nothing back once the time to act has come
		}
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
	maps.DeleteFunc(l.buckets, func(_ string, b *rate.Limiter) bool { return b.TokensAt(now) >= float64(b.Burst()) })
	l.sweepAt = 2 * len(l.buckets)
}

// Limited takes a token from a limiter, or returns a problem that says when to retry.
func (b *Base) Limited(l *Limiter, who, kind, what string) error {
	wait := l.take(who, 1)
	if wait == 0 {
		return nil
	}
	return b.exceeded(wait, kind, fmt.Sprintf("%s: more than %.0f at once, or %.2g a second", what, l.rate.Burst, l.rate.Second))
}

// bytesPerToken is the size of a request that costs one token more.
const bytesPerToken = 8 << 10

// ChargeSize takes tokens for the size of the body of a request that Limited has accepted. A client that sends
// large requests is refused sooner, because they take more work.
func (b *Base) ChargeSize(l *Limiter, who string, r *http.Request, largest int64) {
	size := r.ContentLength
	if size < 0 { // chunked
		size = largest
	}
	l.charge(who, int(size/bytesPerToken))
}

// exceeded returns the problem of a client that must wait.
func (b *Base) exceeded(wait time.Duration, kind, text string) *Problem {
	now := b.Now().UTC()
	until, layout := now.Add(wait), "15:04:05 MST"
	if until.YearDay() != now.YearDay() {
		layout = "2006-01-02 " + layout
	}
	p := Problemf(http.StatusTooManyRequests, "limited", "%s: try again after %s", text, until.Format(layout))
	p.Until = until.Format(time.RFC3339Nano)
	p.After = int64(wait/time.Second) + 1
	return p.WithReason("limited." + kind)
}

// LimitCreates counts something new that is stored permanently. One limit counts all of it:
// games, rematches, reviews and studies.
func (b *Base) LimitCreates(from string) error {
	return b.Limited(b.Limits.Creates, from, "games", "new games from your address")
}

// accountKey is the key of a context that OnAccount returns.
type accountKey struct{}

// OnAccount returns a context for events that the server writes for a client, such as a review. A QuotaLog
// charges the client but never refuses these events, so that no work is lost. A client in debt cannot start
// new work.
func OnAccount(ctx context.Context, client string) context.Context {
	return context.WithValue(fair.WithClient(ctx, client), accountKey{}, true)
}

// QuotaLog is a log that charges clients for the size of the events that they cause, see
// Limits.Disk.
type QuotaLog struct {
	live.Log
	Base *Base
}

// Append implements live.Log. Events without a client in the context, such as moves of engines, are
// free. The error of a client that has stored too much wraps a *Problem and fair.ErrClient.
func (l QuotaLog) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	client, disk := fair.ClientOf(ctx), l.Base.Limits.Disk
	if client == "" {
		return l.Log.Append(ctx, stream, after, data)
	}
	if ctx.Value(accountKey{}) != nil {
		disk.charge(client, len(data))
	} else if wait := disk.take(client, len(data)); wait > 0 {
		text := fmt.Sprintf("data from your address: more than %.0f MB at once, or %.0f MB a day", disk.rate.Burst/(1<<20), disk.rate.Second*24*60*60/(1<<20))
		return 0, errors.Join(l.Base.exceeded(wait, "disk", text), fair.ErrClient)
	}
	seq, err := l.Log.Append(ctx, stream, after, data)
	if err != nil && !errors.Is(err, live.ErrUnknown) {
		disk.GiveBack(client, len(data))
	}
	return seq, err
}

// ConnLimiter limits how many requests of one kind each client has at a time, such as long-lived
// connections.
type ConnLimiter struct {
	*fair.Counter
	what string
}

// newConnLimiter returns a ConnLimiter for what clients hold, such as sockets; unlimited if most
// is 0.
func newConnLimiter(what string, most int) *ConnLimiter {
	return &ConnLimiter{fair.NewCounter(most), what}
}

// Acquire counts a connection of the address of a request, until the caller calls release. It
// fails at the limit.
func (b *Base) Acquire(c *ConnLimiter, r *http.Request) (release func(), err error) {
	from := b.Address(r)
	if !c.Acquire(from) {
		return nil, b.tooManyConns(c)
	}
	return func() { c.Release(from) }, nil
}

// tooManyConns is the problem of an address that is at its limit of connections.
func (b *Base) tooManyConns(c *ConnLimiter) *Problem {
	const wait = 10 * time.Second // or as soon as one ends
	p := Problemf(http.StatusTooManyRequests, "limited", "%s of your address: more than %d at a time: end one of them first", c.what, c.Most())
	p.Until = b.Now().Add(wait).UTC().Format(time.RFC3339Nano)
	p.After = int64(wait / time.Second)
	return p.WithReason("limited.requests")
}
