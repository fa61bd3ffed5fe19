package serve

import (
	"sync"
	"time"
)

// Rate is a token bucket: a burst, refilled at a number per second. The zero Rate is no
// limit.
type Rate struct {
	Burst  float64
	Second float64
}

// limiter applies a Rate to each of many clients, with a token bucket for each.
type limiter struct {
	rate Rate
	now  func() time.Time

	mu      sync.Mutex // guards buckets
	buckets map[string]bucket
	visited int // buckets that were looked at, to drop some
	sweepAt int // how many buckets there are when it looks next for those that are full
}

type bucket struct {
	left float64
	at   time.Time
}

// take takes a token from the bucket, and reports whether there was one.
func (b *bucket) take(r Rate, now time.Time) bool {
	b.left = min(b.left+now.Sub(b.at).Seconds()*r.Second, r.Burst)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

func newLimiter(r Rate, now func() time.Time) *limiter {
	return &limiter{rate: r, now: now, buckets: map[string]bucket{}}
}

// take takes a token of a client; if there is none, it returns when there will be one.
func (l *limiter) take(who string) (until time.Time, ok bool) {
	if l.rate == (Rate{}) {
		return until, true
	}
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b, known := l.buckets[who]
	if !known {
		l.sweep(now)
		b = bucket{l.rate.Burst, now}
	}
	if ok = b.take(l.rate, now); !ok {
		until = now.Add(time.Duration((1 - b.left) / l.rate.Second * float64(time.Second)))
	}
	l.buckets[who] = b
	return until, ok
}

// giveBack returns a token.
func (l *limiter) giveBack(who string) {
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
func (l *limiter) sweep(now time.Time) {
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
