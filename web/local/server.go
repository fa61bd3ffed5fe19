package local

import (
	"context"
	"sync"
	"time"
)

// Server answers numbered requests, each in a goroutine of its own, as the worker of a page asks
// them. It is safe for concurrent use.
type Server struct {
	service *Service
	ctx     context.Context //nolint:containedctx // of all requests: the page has no other
	line    func(n int, line []byte)
	done    func(n, status int)
	running sync.WaitGroup

	mu      sync.Mutex
	cancels map[int]context.CancelFunc // guarded by mu: of the requests that are answered, by number
}

// NewServer returns a Server. It calls line with each line of an answer, and done with its status.
func NewServer(ctx context.Context, s *Service, line func(n int, line []byte), done func(n, status int)) *Server {
	return &Server{service: s, ctx: ctx, line: line, done: done, cancels: map[int]context.CancelFunc{}}
}

// Ask begins to answer a request.
func (s *Server) Ask(n int, r Request) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.cancels[n] = cancel
	s.mu.Unlock()
	s.running.Go(func() {
		status := s.service.Answer(ctx, r, func(line []byte) { s.line(n, line) })
		s.Cancel(n)
		s.done(n, status)
	})
}

// Cancel ends the answer to a request.
func (s *Server) Cancel(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.cancels[n]; cancel != nil {
		cancel()
		delete(s.cancels, n)
	}
}

// Wait waits until all requests are answered.
func (s *Server) Wait() { s.running.Wait() }

// pacer lets others run after each slice of a search. A search belongs to one request.
type pacer struct {
	service *Service
	last    time.Time
}

// slice is how long a search may keep others waiting.
const slice = 50 * time.Millisecond

// pacer returns the pacer of a request.
func (s *Service) pacer() *pacer { return &pacer{s, s.now()} }

// Yield implements engine.Pacer.
func (p *pacer) Yield() {
	if p.service.pause == nil || p.service.now().Sub(p.last) < slice {
		return
	}
	p.service.pause()
	p.last = p.service.now()
}
