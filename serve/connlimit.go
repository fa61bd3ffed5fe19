package serve

import (
	"net/http"
	"sync"
)

// connLimiter counts what lasts of each of many, as sockets do, and lets nobody have more
// than so many at a time.
type connLimiter struct {
	what string
	max  int // no limit if 0

	mu   sync.Mutex // guards here
	held map[string]int
}

func newConnLimiter(what string, most int) *connLimiter {
	return &connLimiter{what: what, max: most, held: map[string]int{}}
}

// acquire lets in one more of somebody, who leaves again; not if there are too many.
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

// limitConns answers requests as long as their address has not too many of them here.
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
