package serve

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quintet/live"
)

// A meter tells the service time. It goes on only while the log takes beats: if
// nothing can be written, nobody can play, and nobody's clock runs. It is known late
// that nothing can be, so the time goes back then to the last beat that was written;
// that begins an epoch. File beat.go says how servers agree on it.
type meter struct {
	mu     sync.Mutex // guards the rest
	base   int64      // service time at start
	start  time.Time
	limit  int64     // it does not go beyond this
	epoch  uint64    // what it is the time of
	last   time.Time // when this server sent the last beat that was taken
	stuck  bool      // events are not taken: it stands, whatever is taken else
	await  bool      // but for the next beat
	agreed agreed
	shared bool          // others write to the log, too
	peers  Peers         // those; nil if they cannot be reached
	stand  time.Duration // how long it stands after an outage
}

const (
	beatEvery = time.Second
	beatSoon  = 100 * time.Millisecond // after one that was not taken
	sureFor   = 2 * beatEvery          // how long a beat says that the log takes everything
	beatGrace = 3 * beatEvery          // how long it goes on after a beat
)

// newMeter returns a meter that stands at a beat for so long, and then goes on from
// there: those who play must find their way back first.
func newMeter(b live.Beat, now time.Time, stand time.Duration) *meter {
	return &meter{
		base: b.Service, start: now.Add(stand), limit: b.Service + (stand + beatGrace).Milliseconds(), epoch: b.Epoch,
		last: now, agreed: agreed{seen: b, since: now},
	}
}

// now returns the service time.
func (m *meter) now(t time.Time) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(t)
}

func (m *meter) at(t time.Time) int64 {
	if m.stuck {
		return m.base
	}
	return min(m.base+max(t.Sub(m.start).Milliseconds(), 0), m.limit)
}

// set lets the time go on from a service time at a moment. The caller holds mu.
func (m *meter) set(service int64, start time.Time) {
	m.base, m.start = service, start
}

// prolong lets the time go on for a while, because something was taken. The caller
// holds mu.
func (m *meter) prolong(t time.Time) {
	m.limit = m.base + max(t.Sub(m.start), 0).Milliseconds() + beatGrace.Milliseconds()
}

// sure reports whether the log took a beat a moment ago. Only then it is right to
// decide anything: else this server may be behind others, and what it decided would be
// charged to who moves next.
func (m *meter) sure(t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.inStep(t)
}

func (m *meter) inStep(t time.Time) bool { return t.Sub(m.last) <= sureFor }

// stands reports whether the time stands still because the log takes no beats.
func (m *meter) stands(t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stuck || m.at(t) >= m.limit || t.Sub(m.last) > beatGrace
}

// rest returns how long the time will still stand for people to find back, as far as
// that is known.
func (m *meter) rest(t time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return max(m.start.Sub(t), 0)
}

// sureTime is how long a command waits for a beat.
const sureTime = 2 * time.Second

// waitSure waits until the log takes beats. It is refused if that takes long.
func (m *meter) waitSure(ctx context.Context, now func() time.Time) error {
	for began := now(); !m.sure(now()); sleep(ctx, 10*time.Millisecond) {
		if ctx.Err() != nil || now().Sub(began) > sureTime || m.stands(now()) {
			return errors.Join(errors.New("the log takes nothing"), ctx.Err())
		}
	}
	return nil
}

// took says whether the log took an event. Beats may still be taken where events
// are not, as on a full disk; the time stands from then on until an event is.
func (m *meter) took(is bool, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !is:
		m.halt(t)
	case m.stuck:
		m.release(t)
	case !m.shared && !m.inStep(t): // an outage is over, which no beat has told of yet
		m.set(m.agreed.seen.Service, t.Add(m.stand))
		m.last = t
		m.prolong(t)
	}
}

// refused lets the time stand because an event or a beat was not taken. The first
// that is lets it go on.
func (m *meter) refused(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.halt(t)
	m.await = true
}

// halt lets the time stand until an event is taken. The caller holds mu.
func (m *meter) halt(t time.Time) {
	m.base, m.stuck = m.at(t), true
}

// release lets it go on. People may be on their way back, still. The caller holds mu.
func (m *meter) release(t time.Time) {
	m.stuck, m.await, m.start = false, false, later(m.start, t)
	if !m.shared {
		m.last = t
	}
	m.prolong(t)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// run writes beats until the context ends.
func (m *meter) run(ctx context.Context, l live.Log, now func() time.Time, logger *slog.Logger) {
	wait := m.first()
	for failed := false; ; {
		sleep(ctx, wait)
		if ctx.Err() != nil {
			return
		}
		began := now()
		err := m.beat(ctx, l, now)
		wait = max(beatEvery-now().Sub(began), beatSoon)
		if err != nil {
			wait = beatSoon
		}
		if errors.Is(err, live.ErrStale) || errors.Is(err, errApart) { // the log is there, and so are others
			continue
		}
		if err != nil && !failed && ctx.Err() == nil {
			logger.Warn("the clocks stand still: the log takes nothing", "error", err)
		}
		if err == nil && failed {
			logger.Info("the clocks go on")
		}
		failed = err != nil
	}
}

// first returns how long to wait for the first beat. Who has yet to find out where
// others are does not wait.
func (m *meter) first() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last.IsZero() {
		return 0
	}
	return beatEvery
}
