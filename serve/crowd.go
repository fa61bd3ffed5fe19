package serve

import (
	"net/http"
	"sync"
)

// crowd counts what lasts of each of many, as sockets do, and lets nobody have more
// than so many at a time.
type crowd struct {
	what string
	most int // no limit if 0

	mu   sync.Mutex // guards here
	here map[string]int
}

func newCrowd(what string, most int) *crowd {
	return &crowd{what: what, most: most, here: map[string]int{}}
}

// enter lets in one more of somebody, who leaves again; not if there are too many.
func (c *crowd) enter(who string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.most > 0 && c.here[who] >= c.most {
		return false
	}
	c.here[who]++
	return true
}

func (c *crowd) leave(who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.here[who]--; c.here[who] <= 0 {
		delete(c.here, who)
	}
}

// within answers requests as long as their address has not too many of them here.
func (s *Server) within(c *crowd, answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := s.address(r)
		if !c.enter(from) {
			s.fail(w, s.crowded(c))
			return
		}
		defer c.leave(from)
		answer(w, r)
	})
}
