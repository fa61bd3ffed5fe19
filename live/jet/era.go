package jet

import (
	"context"
	"sync"
)

// Era cancels pending requests whose answers have become impossible, because a connection was lost, a
// leader has changed or the server inside the process was restarted. Each of these ends an era and
// begins the next. The zero value is ready. It is safe for concurrent use.
type Era struct {
	mu  sync.Mutex      // guards the rest
	ctx context.Context //nolint:containedctx // of the current era; nil until Current is called
	end context.CancelFunc
}

// Current returns a context that is cancelled when the current era ends.
func (e *Era) Current() context.Context {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx == nil {
		e.ctx, e.end = context.WithCancel(context.Background())
	}
	return e.ctx
}

// Next ends the current era and begins another.
func (e *Era) Next() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx != nil {
		e.end()
		e.ctx = nil
	}
}
