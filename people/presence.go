package people

import (
	"sync"
	"time"
)

// hereFor is how long a person counts as here after a request. Pages send one about every 50 seconds.
const hereFor = time.Minute

// presence holds the time of each account's last request to this server. It is not in the log.
type presence struct {
	mu   sync.Mutex // guards the rest
	seen map[string]time.Time
}

// visit records a request of an account.
func (p *presence) visit(id string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = map[string]time.Time{}
	}
	p.seen[id] = now
}

// Here reports whether an account has sent a request within the last minute.
func (s *Store) Here(id string) bool {
	s.here.mu.Lock()
	defer s.here.mu.Unlock()
	at, ok := s.here.seen[id]
	return ok && s.now().Sub(at) < hereFor
}
