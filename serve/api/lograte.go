package api

import (
	"sync"
	"time"
)

// rateLimitedLogger limits a log message that every request may cause to one a second.
type rateLimitedLogger struct {
	mu         sync.Mutex // guards the rest
	last       time.Time
	suppressed int
}

// allow reports whether to log the message now, and how many were suppressed since the
// last one.
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
