package serve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"quintet/live"
)

// slowWrite is how long an event may take to be written until the clocks stand:
// nobody is charged for a disk that takes nothing.
const slowWrite = 500 * time.Millisecond

// append writes an event, and lets the time stand while that cannot be done. In a
// cluster it need not while one write is slow or lost, as when another server begins
// to lead the log: beats tell whether it takes anything.
func (h *hub) append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	done := func() (stood bool) { return false }
	if !h.shared {
		done = h.meter.writing(h.now, h.after)
	}
	seq, err := h.log.Append(ctx, id, after, data)
	stood := done()
	unknown := errors.Is(err, live.ErrUnknown)
	switch {
	case err == nil || errors.Is(err, live.ErrStale):
		h.meter.took(h.now())
	case unknown && h.shared:
	case ctx.Err() != nil && !unknown: // nobody asks any more, and it is not written
		if stood {
			h.meter.refused(h.now())
		}
	default:
		h.meter.refused(h.now())
	}
	return seq, err
}

// writing lets the time stand if an event is not written soon. The function that it
// returns says that it was, or could not be, and reports whether the time stood.
func (m *meter) writing(now func() time.Time, after func(string, time.Duration, func()) *time.Timer) (done func() (stood bool)) {
	over, halted := false, false // guarded by mu
	slow := after("slow write", slowWrite, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if !over {
			m.halt(now())
			halted = true
		}
	})
	return func() bool {
		slow.Stop()
		m.mu.Lock()
		defer m.mu.Unlock()
		over = true
		return halted
	}
}

// fullProblem is what people are told while the disk is full.
func fullProblem() *Problem {
	p := problem(http.StatusServiceUnavailable, "full", "the disk of the server is full, so this is not done; the clocks stand, and all that was played is kept: try again when there is room")
	p.After = 5
	return p
}
