package serve

import (
	"context"
	"sync"

	"quintet/people"
)

// background runs the server's goroutines besides requests.
type background struct {
	all    sync.WaitGroup
	cancel context.CancelFunc

	mu     sync.Mutex // guards closed
	closed bool       // no more goroutines start
}

// spawn runs functions in goroutines that Close waits for. It returns false after Close.
func (s *Server) spawn(task string, list ...func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	for _, f := range list {
		s.all.Add(1)
		s.hall.Spawn(task, func() { defer s.all.Done(); f() })
	}
	return true
}

// accountChanged updates the games of an account.
func (s *Server) accountChanged(a people.Account, c people.Change) {
	if c.Shown {
		s.hall.Renamed(a.IDs())
	}
	if c.Vacation {
		s.hall.VacationChanged(a.IDs())
	}
}
