package jet

import (
	"context"
	"sync"
)

// Era is the time in which pending requests can still be answered: while a connection, a
// leader or a server inside the process lasts. The zero value is ready.
type Era struct {
	mu  sync.Mutex      // guards the rest
	ctx context.Context //nolint:containedctx // ends with the era; nil until somebody waits for it
	end context.CancelFunc
}

// Current returns a context that ends with the era.
func (e *Era) Current() context.Context {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx == nil {
		e.ctx, e.end = context.WithCancel(context.Background())
	}
	return e.ctx
}

// Next ends the era, and begins another.
func (e *Era) Next() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx != nil {
		e.end()
		e.ctx = nil
	}
}
