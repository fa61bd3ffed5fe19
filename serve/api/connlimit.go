package api

import (
	"net/http"
	"sync"
	"time"
)

// ConnLimiter limits how many long-lived connections one address holds.
type ConnLimiter struct {
	what string
	max  int // unlimited if 0

	mu   sync.Mutex // guards held
	held map[string]int
}

// NewConnLimiter returns a ConnLimiter for what clients hold, such as sockets.
func NewConnLimiter(what string, most int) *ConnLimiter {
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
