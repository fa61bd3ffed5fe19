package jet

import (
	"context"
	"sync"
)

// mark is a number that only grows: that of the last event that is on the disk. An
// event can be read from the server inside the process a moment before it is there,
// and if it then does not get there, it has never been: nobody may see it.
type mark struct {
	mu    sync.Mutex // guards the rest
	seq   uint64
	grown chan struct{} // closed when seq grows; nil while nobody waits
}

func (m *mark) last() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seq
}

func (m *mark) raise(seq uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seq <= m.seq {
		return
	}
	m.seq = seq
	if m.grown != nil {
		close(m.grown)
		m.grown = nil
	}
}

// reach waits until the mark is at a number, or a context ends. It reports whether
// it is.
func (m *mark) reach(ctx, era context.Context, seq uint64) bool {
	for {
		m.mu.Lock()
		if seq <= m.seq {
			m.mu.Unlock()
			return true
		}
		if m.grown == nil {
			m.grown = make(chan struct{})
		}
		grown := m.grown
		m.mu.Unlock()
		select {
		case <-grown:
		case <-ctx.Done():
			return false
		case <-era.Done():
			return false
		}
	}
}
