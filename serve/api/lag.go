package api

import "sync"

// Lag tracks whether the parts of a server that follow the log fail, or are behind it. The zero
// Lag is ready for use.
type Lag struct {
	mu        sync.Mutex // guards the rest
	parts     map[string]*follower
	last, due uint64 // the log's last event at the last tick, and at the one before
}

type follower struct {
	seq    uint64 // the last event that it has dealt with
	failed int    // ticks until the last failure counts as overcome
}

// Reached notes that a part has dealt with all events up to a number.
func (l *Lag) Reached(part string, seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*l.part(part) = follower{seq: seq}
}

// HasReached reports whether all parts have processed all events up to a number.
func (l *Lag) HasReached(seq uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.parts {
		if f.seq < seq {
			return false
		}
	}
	return true
}

// Failed notes that a part has failed.
func (l *Lag) Failed(part string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part(part).failed = 2
}

// part returns a part. The caller holds mu.
func (l *Lag) part(name string) *follower {
	if l.parts == nil {
		l.parts = map[string]*follower{}
	}
	if l.parts[name] == nil {
		l.parts[name] = &follower{seq: l.last}
	}
	return l.parts[name]
}

// Tick notes the last event of the log. A part that has not reached it by the next tick is
// behind.
func (l *Lag) Tick(last uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due, l.last = l.last, last
	for _, f := range l.parts {
		f.failed = max(0, f.failed-1)
	}
}

// Problem says which part has failed or is behind; "" if none is.
func (l *Lag) Problem() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, f := range l.parts {
		switch {
		case f.failed > 0:
			return name + " failed: see the server's log"
		case f.seq < l.due:
			return name + " is behind the log"
		}
	}
	return ""
}
