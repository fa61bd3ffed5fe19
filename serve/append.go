package serve

import (
	"context"
	"errors"
	"net/http"

	"quintet/live"
)

// append writes an event, and stops the service clock while the log accepts none.
func (h *Hall) append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	done := h.clock.WatchWrite(h.now, h.after)
	seq, err := h.log.Append(ctx, id, after, data)
	stopped := done()
	unknown := errors.Is(err, live.ErrUnknown)
	switch {
	case err == nil || errors.Is(err, live.ErrStale):
		h.clock.Accepted(h.now())
	case unknown && h.shared:
	case ctx.Err() != nil && !unknown: // the client is gone, and it is not written
		if stopped {
			h.clock.Rejected(h.now())
		}
	default:
		h.clock.Rejected(h.now())
	}
	return seq, err
}

// fullProblem is what people are told while the disk is full.
func fullProblem() *Problem {
	p := problem(http.StatusServiceUnavailable, "full", "the disk of the server is full, so this is not done; the clocks stand, and all that was played is kept: try again when there is room")
	p.After = 5
	return p
}
