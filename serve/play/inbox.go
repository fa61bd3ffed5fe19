package play

import (
	"context"
	"errors"
	"sync"

	"quintet/live"
)

// inbox keeps entries of the log for a listener that works at its own pace, so that no
// listener blocks another. A listener whose inbox was full has missed entries, and reads
// the log again.
type inbox struct {
	wake chan struct{} // takes one

	mu      sync.Mutex // guards the rest
	entries []live.Entry
	missed  bool
	last    uint64 // sequence number of the latest delivered entry, or the one before the first
}

// inboxSize is how many entries an inbox keeps: an hour of a busy server.
const inboxSize = 50_000

var errMissed = errors.New("too many events wait: the log is read again")

func newInbox(after uint64) *inbox { return &inbox{wake: make(chan struct{}, 1), last: after} }

func (b *inbox) deliver(e live.Entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = e.Seq
	if b.missed = b.missed || len(b.entries) == inboxSize; b.missed {
		b.entries = nil
	} else {
		b.entries = append(b.entries, e)
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// reset drops all entries and returns the sequence number from which delivery continues. It is at least that of the
// last delivered entry, because a deposed NATS leader reports an old end.
func (b *inbox) reset(ctx context.Context, l live.Log) (last uint64, err error) {
	b.mu.Lock()
	b.entries, b.missed = nil, false
	delivered := b.last
	b.mu.Unlock()
	last, err = l.Last(ctx)
	return max(last, delivered), err
}

// take waits for entries, and returns all that are there, or errMissed. It returns none when
// other receives.
func (b *inbox) take(ctx context.Context, other <-chan struct{}) ([]live.Entry, error) {
	for {
		b.mu.Lock()
		list, missed := b.entries, b.missed
		b.entries = nil
		b.mu.Unlock()
		switch {
		case missed:
			return nil, errMissed
		case len(list) > 0:
			return list, nil
		}
		select {
		case <-b.wake:
		case <-other:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
