package hall

import (
	"context"
	"errors"

	"quintet/live"
	"quintet/serve/fair"
)

// append writes an event, and stops the service clock while the log accepts none.
func (h *Hall) append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	done := h.config.Clock.WatchWrite(h.now, h.after)
	seq, err := h.config.Log.Append(ctx, id, after, data)
	stopped := done()
	unknown := errors.Is(err, live.ErrUnknown)
	switch {
	case err == nil || errors.Is(err, live.ErrStale):
		h.config.Clock.Accepted(h.now())
	case unknown && h.config.Shared, errors.Is(err, fair.ErrClient), errors.Is(err, live.ErrBroken): // the fault of the client, or of this game alone
	case ctx.Err() != nil && !unknown: // the client is gone, and it is not written
		if stopped {
			h.config.Clock.Rejected(h.now())
		}
	default:
		h.config.Clock.Rejected(h.now())
	}
	return seq, err
}
