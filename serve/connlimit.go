package serve

import (
	"net/http"
	"sync"
)

// connLimiter limits how many long-lived connections one address holds.
type connLimiter struct {
	what string
	max  int // unlimited if 0

	mu   sync.Mutex // guards held
	held map[string]int
}

func newConnLimiter(what string, most int) *connLimiter {
	return &connLimiter{what: what, max: most, held: map[string]int{}}
}

// acquire counts a connection of an address, which the caller must release. It fails at the
// limit.
func (c *connLimiter) acquire(who string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.max > 0 && c.held[who] >= c.max {
		return false
	}
	c.held[who]++
	return true
}

func (c *connLimiter) release(who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[who]--; c.held[who] <= 0 {
		delete(c.held, who)
	}
}

// limitConns rejects requests of addresses that are at the limit.
func (s *Server) limitConns(c *connLimiter, answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := s.address(r)
		if !c.acquire(from) {
			s.fail(w, s.tooManyConns(c))
			return
		}
		defer c.release(from)
		answer(w, r)
	})
}
