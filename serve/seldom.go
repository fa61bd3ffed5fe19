package serve

import (
	"sync"
	"time"
)

// seldom lets something that happens at every request be logged once a second.
type seldom struct {
	mu   sync.Mutex // guards the rest
	last time.Time
	left int
}

// note reports whether to say it, and how many times it was not said since.
func (s *seldom) note(now time.Time) (left int, say bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.last) < time.Second {
		s.left++
		return 0, false
	}
	left, s.left, s.last = s.left, 0, now
	return left, true
}
