package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"quintet/live"
)

// A meter tells the service time. It goes on only while the log takes beats: if
// nothing can be written, nobody can play, and nobody's clock runs.
type meter struct {
	mu    sync.Mutex // guards the rest
	base  int64      // service time at start
	start time.Time
	limit int64 // it does not go beyond this
	stuck bool  // events are not taken: beats do not let it go on
	await bool  // but for the next one that is taken
}

const (
	beatEvery = time.Second
	beatGrace = 3 * beatEvery // how long it goes on after a beat
)

// newMeter returns a meter that stands at a service time for so long, and then
// goes on from there: those who play must find their way back first.
func newMeter(at int64, now time.Time, stand time.Duration) *meter {
	return &meter{base: at, start: now.Add(stand), limit: at + (stand + beatGrace).Milliseconds()}
}

// now returns the service time.
func (m *meter) now(t time.Time) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(t)
}

func (m *meter) at(t time.Time) int64 {
	return min(m.base+max(t.Sub(m.start).Milliseconds(), 0), m.limit)
}

// beaten says that the log has a beat, and the greatest that it has of any server.
func (m *meter) beaten(greatest int64, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stuck {
		return
	}
	at := m.at(t)
	if t.Sub(m.start) >= 0 && at >= m.limit || greatest > at {
		m.base, m.start = max(at, greatest), t // the outage is over, or another server is ahead
	}
	m.limit = m.base + max(t.Sub(m.start), 0).Milliseconds() + beatGrace.Milliseconds()
}

// took says whether the log took an event. Beats may still be taken where events
// are not, as on a full disk; the time stands from then on until an event is.
func (m *meter) took(is bool, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch at := m.at(t); {
	case !is:
		m.stand(t)
	case m.stuck:
		if t.Before(m.start) {
			t = m.start // people are still on their way back
		}
		m.stuck, m.await, m.base, m.start, m.limit = false, false, at, t, at+beatGrace.Milliseconds()
	}
}

// stand lets the time stand until an event is taken. The caller holds mu.
func (m *meter) stand(t time.Time) {
	m.stuck, m.limit = true, m.at(t)
}

// run writes beats until the context ends.
func (m *meter) run(ctx context.Context, l live.Log, now func() time.Time, logger *slog.Logger) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for failed := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := m.beat(ctx, l, now)
		if err != nil && !failed && ctx.Err() == nil {
			logger.Warn("the clocks stand still: the log takes nothing", "error", err)
		}
		if err == nil && failed {
			logger.Info("the clocks go on")
		}
		failed = err != nil
	}
}

func (m *meter) beat(ctx context.Context, l live.Log, now func() time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := l.Beat(ctx, m.now(now())); err != nil {
		if errors.Is(err, live.ErrFull) {
			m.refused(true, now())
		}
		return fmt.Errorf("writing a beat: %w", err)
	}
	m.beatTaken(now())
	greatest, err := l.Time(ctx)
	if err != nil {
		return fmt.Errorf("reading the beats: %w", err)
	}
	m.beaten(greatest, now())
	return nil
}

// stands reports whether the time stands still because the log takes no beats.
func (m *meter) stands(t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(t) >= m.limit
}
