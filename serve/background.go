package serve

import (
	"context"
	"sync"
	"time"

	"quintet/people"
	"quintet/serve/clock"
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

// revealTick is how often a server reveals games whose delay has passed.
const revealTick = 5 * time.Second

// reveal shows the ends of games in the lists when their delay has passed, until the context ends. It reveals nothing
// until the list has caught up with the log at the start; after that, it does not wait for the log.
func (s *Server) reveal(ctx context.Context) {
	for ; ctx.Err() == nil; clock.Sleep(ctx, revealTick) {
		if !s.Ready.Load() {
			continue
		}
		if err := s.index.Reveal(ctx, s.hall.Now().Wall); err != nil && ctx.Err() == nil {
			s.Log.Error("games stay secret in the lists though their delay has passed", "error", err)
		}
	}
}
