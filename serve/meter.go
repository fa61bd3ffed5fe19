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
	mu     sync.Mutex // guards all below but what does not change
	base   int64      // service time at start
	start  time.Time
	limit  int64     // it does not go beyond this
	epoch  uint64    // how often it has gone back, as all servers count
	last   time.Time // when a beat was sent that was taken, as far as this server knows
	out    bool      // where the others are has to be found out first, however late the last beat was
	agreed agreed

	stuck bool // of a server that is alone: an event is not taken, and it stands, whatever is taken else
	await bool // but for the next beat

	shared bool          // others write to the log, too; it does not change, nor what is below
	name   string        // of this server among them
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

// decides returns the service time at which something may be decided. It is not ok out
// of step: this server may be behind others then, and what it decided would be charged
// to who moves next.
func (m *meter) decides(t time.Time) (service int64, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(t), m.inStep(t)
}

// sure reports whether something may be decided.
func (m *meter) sure(t time.Time) bool {
	_, ok := m.decides(t)
	return ok
}

func (m *meter) inStep(t time.Time) bool { return !m.out && t.Sub(m.last) <= sureFor }

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

var errUnsure = errors.New("the log takes nothing")

// waitSure waits until something may be decided. It is refused if that takes long.
func (m *meter) waitSure(ctx context.Context, now func() time.Time) error {
	for began := now(); !m.sure(now()); sleep(ctx, 10*time.Millisecond) {
		if ctx.Err() != nil || now().Sub(began) > sureTime || m.stands(now()) {
			return errors.Join(errUnsure, ctx.Err())
		}
	}
	return nil
}

// set lets the time go on from a service time at a moment. The caller holds mu.
func (m *meter) set(service int64, start time.Time) {
	m.base, m.start = service, start
}

// extend says that a beat was sent at a time that was taken. The caller holds mu.
func (m *meter) extend(sent, t time.Time) {
	m.last, m.out = later(m.last, sent), false
	m.limit = m.base + max(t.Sub(m.start), 0).Milliseconds() + beatGrace.Milliseconds()
}

// took says that the log took an event. A server that is alone need not wait for a beat
// to tell that an outage is over.
func (m *meter) took(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.shared:
	case m.stuck:
		m.release(t)
	case !m.inStep(t):
		m.set(m.agreed.seen.Service, t.Add(m.stand))
		m.extend(t, t)
	}
}

// refused says that an event or a beat was not taken. A server that is alone lets the
// time stand until one is: beats may still be taken where events are not, as on a full
// disk. In a cluster, one server stands for nothing.
func (m *meter) refused(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.shared {
		m.halt(t)
		m.await = true
	}
}

// halt lets the time stand until an event is taken. The caller holds mu.
func (m *meter) halt(t time.Time) {
	m.base, m.stuck = m.at(t), true
}

// release lets it go on. People may be on their way back, still. The caller holds mu.
func (m *meter) release(t time.Time) {
	m.stuck, m.await, m.start = false, false, later(m.start, t)
	m.extend(t, t)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// run writes beats until the context ends.
func (m *meter) run(ctx context.Context, l live.Log, now func() time.Time, logger *slog.Logger) {
	wait := beatEvery
	if m.peers != nil {
		wait = 0 // where others are is to be known soon
	}
	for trouble := (trouble{logger: logger}); ; {
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
		if ctx.Err() == nil {
			trouble.note(err, now())
		}
	}
}

// trouble logs that there are no beats.
type trouble struct {
	logger *slog.Logger
	since  time.Time
	told   bool
}

// quietTime is for how long it is not worth a word that other servers are quicker, or
// have not said where they are.
const quietTime = 5 * time.Second

func (r *trouble) note(err error, t time.Time) {
	if err == nil {
		if r.told {
			r.logger.Info("the clocks go on")
		}
		r.since, r.told = time.Time{}, false
		return
	}
	if r.since.IsZero() {
		r.since = t
	}
	quiet := errors.Is(err, live.ErrStale) || errors.Is(err, errApart)
	if !r.told && (!quiet || t.Sub(r.since) > quietTime) {
		r.told = true
		r.logger.Warn("the clocks stand still: the log takes no beats of this server", "error", err)
	}
}
