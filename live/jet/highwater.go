package jet

import (
	"context"
	"sync"
)

// highWater is the sequence number of the last event that is on the disk. It only grows.
// The server inside the process serves an event a moment before its fsync; a reader that
// saw such an event would see one that a crash can undo.
type highWater struct {
	mu    sync.Mutex // guards the rest
	seq   uint64
	grown chan struct{} // closed when seq grows; nil without waiters
}

func (h *highWater) last() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seq
}

// raise moves the mark to a sequence number. A lower one changes nothing.
func (h *highWater) raise(seq uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if seq <= h.seq {
		return
	}
	h.seq = seq
	if h.grown != nil {
		close(h.grown)
		h.grown = nil
	}
}

// wait waits until the mark reaches a sequence number, or a context ends. It reports
// whether the mark did.
func (h *highWater) wait(ctx, era context.Context, seq uint64) bool {
	for {
		h.mu.Lock()
		if seq <= h.seq {
			h.mu.Unlock()
			return true
		}
		if h.grown == nil {
			h.grown = make(chan struct{})
		}
		grown := h.grown
		h.mu.Unlock()
		select {
		case <-grown:
		case <-ctx.Done():
			return false
		case <-era.Done():
			return false
		}
	}
}
