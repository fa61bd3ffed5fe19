package api

import (
	"net/http"
	"sync"
	"time"
)

// Rate is a token bucket: a burst, refilled at a number per second. The zero Rate is no
// limit.
type Rate struct {
	Burst  float64
	Second float64
}

// Limiter applies a Rate to each of many clients, with a token bucket for each.
type Limiter struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex // guards buckets
	buckets map[string]Bucket
	visited int // buckets that were looked at, to drop some
	sweepAt int // how many buckets there are when it looks next for those that are full
}

// Bucket is the token bucket of one client.
type Bucket struct {
	left float64
	at   time.Time
}

// NewBucket returns a full bucket.
func NewBucket(r Rate, now time.Time) Bucket { return Bucket{r.Burst, now} }

// Take takes a token from the bucket, and reports whether there was one.
func (b *Bucket) Take(r Rate, now time.Time) bool {
	b.left = min(b.left+now.Sub(b.at).Seconds()*r.Second, r.Burst)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

// NewLimiter returns a Limiter.
func NewLimiter(r Rate, now func() time.Time) *Limiter {
	return &Limiter{rate: r, now: now, buckets: map[string]Bucket{}}
}

// take takes a token of a client; if there is none, it returns when there will be one.
func (l *Limiter) take(who string) (until time.Time, ok bool) {
	if l.rate == (Rate{}) {
		return until, true
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b, known := l.buckets[who]
	if !known {
		l.sweep(now)
		b = Bucket{l.rate.Burst, now}
	}
	if ok = b.Take(l.rate, now); !ok {
		until = now.Add(time.Duration((1 - b.left) / l.rate.Second * float64(time.Second)))
	}
	l.buckets[who] = b
	return until, ok
}

// GiveBack returns a token.
func (l *Limiter) GiveBack(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b, known := l.buckets[who]; known {
		b.left = min(b.left+1, l.rate.Burst)
		l.buckets[who] = b
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
	defer func() { l.sweepAt = 2 * len(l.buckets) }()
	for who, b := range l.buckets {
		if b.left+now.Sub(b.at).Seconds()*l.rate.Second >= l.rate.Burst {
			delete(l.buckets, who)
		}
	}
}

// Limited takes a token from a limiter, or returns a problem that says when to retry.
func (b *Base) Limited(l *Limiter, who, kind, what string) error {
	until, ok := l.take(who)
	if ok {
		return nil
	}
	p := Problemf(http.StatusTooManyRequests, "limited", "%s: more than %.0f at once, or %.2g a second: try again after %s",
		what, l.rate.Burst, l.rate.Second, until.UTC().Format("15:04:05 MST"))
	p.Until = until.UTC().Format(time.RFC3339Nano)
	p.After = int64(until.Sub(b.Now())/time.Second) + 1
	return p.WithReason("limited." + kind)
}

// LimitCreates counts something new that is stored permanently. One limit counts all of it:
// games, rematches, reviews and studies.
func (b *Base) LimitCreates(from string) error {
	return b.Limited(b.Limits.Creates, from, "games", "new games from your address")
}
