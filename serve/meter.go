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
// nothing can be written, nobody can play, and nobody's clock runs. It is known late
// that nothing can be, so the time goes back then to when something last was.
type meter struct {
	mu      sync.Mutex // guards the rest
	base    int64      // service time at start
	start   time.Time
	limit   int64         // it does not go beyond this
	kept    int64         // the service time when the log last took something
	last    time.Time     // when that was
	settled time.Time     // after an outage, it is waited until then for what others tell
	stuck   bool          // events are not taken: beats do not let it go on
	await   bool          // but for the next one that is taken
	shared  bool          // others write to the log, too
	stand   time.Duration // how long it stands after an outage, as after a start
}

const (
	beatEvery = time.Second
	beatSoon  = 100 * time.Millisecond // after one that was not taken
	sureFor   = 2 * beatEvery          // how long a beat says that the log takes everything
	beatGrace = 3 * beatEvery          // how long it goes on after a beat
)

// newMeter returns a meter that stands at a service time for so long, and then
// goes on from there: those who play must find their way back first.
func newMeter(at int64, now time.Time, stand time.Duration) *meter {
	return &meter{base: at, start: now.Add(stand), limit: at + (stand + beatGrace).Milliseconds(), kept: at, last: now}
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
	switch {
	case t.Sub(m.last) > sureFor && greatest > m.kept+(t.Sub(m.last)-2*beatEvery-beatEvery/4).Milliseconds(): // an outage of this server alone is over
		m.base, m.start, m.settled = greatest, t, m.settles(t)
	case t.Sub(m.last) > sureFor: // one of all is, and nobody pays for it
		m.base, m.start, m.settled = max(m.kept, greatest), t.Add(m.stand), m.settles(t)
	case greatest > at: // another server is ahead
		m.base, m.start = greatest, later(m.start, t)
	}
	m.kept, m.last = m.base+max(t.Sub(m.start), 0).Milliseconds(), t
	m.limit = m.kept + beatGrace.Milliseconds()
}

// hears says that another server tells a service time. Between beats, this is how
// servers agree on it.
func (m *meter) hears(service int64, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.Before(m.settled) {
		m.settled = t // that was waited for
	}
	if ahead := service - m.at(t); ahead > 0 {
		m.base, m.start = service, later(m.start, t)
		m.kept += ahead
		m.limit += ahead
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// settles returns until when others are waited for after an outage. If nobody tells
// anything by then, there is nobody. The caller holds mu.
func (m *meter) settles(t time.Time) time.Time {
	if !m.shared {
		return t
	}
	return t.Add(settleTime)
}

// alive reports whether the log took something a moment ago.
func (m *meter) alive(t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return t.Sub(m.last) <= sureFor
}

// sure reports the same, and that after an outage others have been heard: only then
// it is right to decide anything.
func (m *meter) sure(t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return t.Sub(m.last) <= sureFor && !t.Before(m.settled)
}

// proven returns the service time that a beat may tell: of a log that is shared, the
// time of the last beat, because what is told now may be written late, when the time
// has gone back.
func (m *meter) proven(t time.Time) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shared || t.Sub(m.last) > sureFor {
		return m.kept
	}
	return m.at(t)
}

// waitSure waits until the log takes beats, so that this server is not behind others:
// what it decided would be charged to who moves next. It is refused if that takes
// long.
func (m *meter) waitSure(ctx context.Context, now func() time.Time) error {
	for began := now(); !m.sure(now()); sleep(ctx, 10*time.Millisecond) {
		if ctx.Err() != nil || now().Sub(began) > sureTime || m.stands(now()) {
			return errors.Join(errors.New("the log takes nothing"), ctx.Err())
		}
	}
	return nil
}

// sureTime is how long a command waits for a beat.
const sureTime = 2 * time.Second

// took says whether the log took an event. Beats may still be taken where events
// are not, as on a full disk; the time stands from then on until an event is.
func (m *meter) took(is bool, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch at := m.at(t); {
	case !is:
		m.halt(t)
	case m.stuck:
		m.stuck, m.await, m.base, m.start, m.limit = false, false, at, later(m.start, t), at+beatGrace.Milliseconds() // people may be on their way back
		m.kept, m.last = at, t
	case t.Sub(m.last) > sureFor: // an outage is over, which no beat has told of yet
		m.base, m.start, m.last, m.settled, m.limit = m.kept, t.Add(m.stand), t, m.settles(t), m.kept+beatGrace.Milliseconds()
	}
}

// halt lets the time stand until an event is taken. The caller holds mu.
func (m *meter) halt(t time.Time) {
	m.stuck, m.limit = true, m.at(t)
}

// run writes beats until the context ends.
func (m *meter) run(ctx context.Context, l live.Log, now func() time.Time, logger *slog.Logger) {
	wait := beatEvery
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
	greatest, err := l.Time(ctx) // first: of beats, the log keeps one, and it shall not be less than another server's
	if err != nil {
		return fmt.Errorf("reading the beats: %w", err)
	}
	if err := l.Beat(ctx, max(m.proven(now()), greatest)); err != nil {
		if errors.Is(err, live.ErrFull) {
			m.refused(now())
		}
		return fmt.Errorf("writing a beat: %w", err)
	}
	m.beatTaken(now())
	m.beaten(greatest, now())
	return nil
}

// stands reports whether the time stands still because the log takes no beats.
func (m *meter) stands(t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(t) >= m.limit || t.Sub(m.last) > beatGrace
}

// peers tells other servers of the service time, and hears them, until the context
// ends: what they decide about one game shall not differ by the time between beats.
func (m *meter) peers(ctx context.Context, p Peers, now func() time.Time, logger *slog.Logger) {
	stop, err := p.Hear(func(service int64) { m.hears(service, now()) })
	if err != nil {
		logger.Error("other servers are not heard", "error", err)
		return
	}
	defer stop()
	for ctx.Err() == nil {
		if t := now(); m.alive(t) {
			_ = p.Tell(m.now(t)) // if nobody hears it, beats tell
		}
		sleep(ctx, tellEvery)
	}
}

// tellEvery is how often servers tell each other the service time, and settleTime how
// long one waits for that after an outage.
const (
	tellEvery  = 200 * time.Millisecond
	settleTime = time.Second
)
