package serve

import (
	"sync"
	"time"
)

// rateLimitedLogger lets something that happens at every request be logged once a second.
type rateLimitedLogger struct {
	mu         sync.Mutex // guards the rest
	last       time.Time
	suppressed int
}

// allow reports whether to say it, and how many times it was not said since.
func (s *rateLimitedLogger) allow(now time.Time) (left int, say bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.last) < time.Second {
		s.suppressed++
		return 0, false
	}
	left, s.suppressed, s.last = s.suppressed, 0, now
	return left, true
}
