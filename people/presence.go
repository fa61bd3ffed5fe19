package people

import (
	"maps"
	"sync"
	"time"
)

// hereFor is how long a person counts as here after a request. Pages send one about every 50 seconds.
const hereFor = time.Minute

// Visits holds the time of each person's last request to this server. It is not in the log. The zero value is ready. It is
// safe for concurrent use.
type Visits struct {
	mu     sync.Mutex // guards all
	last   map[string]time.Time
	pruned time.Time // when old ones were deleted
}

// Add records a request of a person.
func (v *Visits) Add(id string, now time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.last == nil {
		v.last = map[string]time.Time{}
	}
	v.last[id] = now
	if now.Sub(v.pruned) > hereFor {
		maps.DeleteFunc(v.last, func(_ string, at time.Time) bool { return now.Sub(at) > hereFor })
		v.pruned = now
	}
}

// Since reports whether a person has sent a request since a time.
func (v *Visits) Since(id string, at time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	last, ok := v.last[id]
	return ok && !last.Before(at)
}

// Here reports whether an account has sent a request within the last minute.
func (s *Store) Here(id string) bool { return s.visits.Since(id, s.now().Add(-hereFor)) }
