package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"quintet/live"
)

// Servers that share a log agree on the service time by their beats, each of which is
// written only behind the last one that its server knows. A server is in step for two
// seconds after it sent one that was taken. Who is not
//   - asks the others where they are, of whom those answer who are in step;
//   - if nobody does, and the last beat of any server is more than two seconds old, nobody
//     is in step, because nobody could write. It writes the time of that beat once more,
//     as the first of a new epoch, and all others go on from there, too: the outage is
//     charged to nobody.
//
// A beat that was sent before and comes late is not written, because another one came
// first; and what was told in an older epoch is not heard.
type agreed struct {
	seen     live.Beat // the last beat of any server
	since    time.Time // it was not written after that
	sent     live.Beat // the last one of this server
	sentAt   time.Time // when that was; zero if it was refused
	answered time.Time // when another server last said where it is
	apart    time.Time // since when none has; zero in step
}

const (
	askTime   = 300 * time.Millisecond // how late an answer may be: it says where others were
	apartTime = 3 * time.Second        // after that, their beats have to do
	tellEvery = 200 * time.Millisecond // how often those who are in step tell each other where they are
)

var errApart = errors.New("it is not known yet where other servers are")

// leave says that this server is not in step.
func (m *meter) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = time.Time{}
}

// beat reads the last beat, and writes the next one.
func (m *meter) beat(ctx context.Context, l live.Log, now func() time.Time) error {
	step := beatTime
	if !m.sure(now()) {
		step = beatTime / 4 // what is sent while nobody leads is never answered: it is soon sent again
	}
	last, err := m.lastBeat(ctx, l, step)
	if err != nil {
		return err
	}
	if m.peers != nil && !m.sure(now()) {
		m.ask(ctx, now)
	}
	sent := now()
	b, err := m.next(last, sent)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*step)
	defer cancel()
	b.Seq, err = l.Beat(ctx, last.Seq, b)
	switch {
	case errors.Is(err, live.ErrFull):
		m.refused(now())
	case errors.Is(err, live.ErrStale):
		m.outrun()
	case err == nil:
		m.taken(b, sent, now())
		return nil
	}
	return fmt.Errorf("writing a beat: %w", err)
}

// ask asks others where they are, and goes on from there.
func (m *meter) ask(ctx context.Context, now func() time.Time) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	b, stand, err := m.peers.Ask(ctx)
	if err != nil {
		return // nobody is there, or in step
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := now(); b.Epoch >= m.epoch {
		m.set(b.Service, t.Add(stand))
		m.epoch, m.agreed.answered = b.Epoch, t
		m.prolong(t)
	}
}

// next returns the beat to write behind the last one of any server.
func (m *meter) next(last live.Beat, t time.Time) (b live.Beat, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := &m.agreed
	if last.Seq < a.seen.Seq {
		return b, fmt.Errorf("the last beat is %d, and was %d: %w", last.Seq, a.seen.Seq, errApart) // somebody does not know yet that it leads no more
	}
	m.look(last, t)
	alone := !m.shared && m.stuck // it stood, and need not go back
	switch knows := m.inStep(t) || t.Sub(a.answered) < askTime || alone; {
	case knows && last.Epoch <= m.epoch:
		b = live.Beat{Service: max(m.at(t), last.Service), Epoch: m.epoch}
	case !m.shared || t.Sub(a.since) > sureFor:
		b = live.Beat{Service: last.Service, Epoch: max(last.Epoch, m.epoch) + 1}
	case !a.apart.IsZero() && t.Sub(a.apart) > apartTime:
		m.set(last.Service, t)
		m.epoch = last.Epoch
		b = live.Beat{Service: last.Service, Epoch: last.Epoch}
	default:
		if m.last = (time.Time{}); a.apart.IsZero() {
			a.apart = t
		}
		return b, errApart
	}
	a.sent, a.sentAt = b, t
	return b, nil
}

// look takes note of the last beat. The caller holds mu.
func (m *meter) look(last live.Beat, t time.Time) {
	a := &m.agreed
	if last.Seq == a.seen.Seq {
		return
	}
	a.seen, a.since = last, t
	if !a.sentAt.IsZero() && last.Service == a.sent.Service && last.Epoch == a.sent.Epoch {
		a.since = a.sentAt // it is the one of this server, of which it was not known whether it was written
	}
}

// beatTime is how long it may take to read a beat.
const beatTime = 2 * time.Second

func (m *meter) lastBeat(ctx context.Context, l live.Log, within time.Duration) (live.Beat, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	b, err := l.LastBeat(ctx)
	if err != nil {
		return b, fmt.Errorf("reading the beats: %w", err)
	}
	return b, nil
}

// outrun says that another server's beat came first.
func (m *meter) outrun() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.agreed.sentAt = time.Time{}
}

// taken says that the log has taken a beat, and when that was sent.
func (m *meter) taken(b live.Beat, sent, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.shared {
		sent = t // nobody else can have written since
	}
	m.agreed.seen, m.agreed.since = b, sent
	if m.await {
		m.release(t)
	}
	if m.stuck || b.Epoch < m.epoch {
		return
	}
	switch {
	case b.Epoch > m.epoch: // an outage is over, for which nobody pays
		m.set(b.Service, t.Add(m.stand))
	case b.Service > m.at(t): // another server is ahead
		m.set(b.Service, later(m.start, t))
	}
	m.epoch, m.last, m.agreed.apart = b.Epoch, sent, time.Time{}
	m.prolong(t)
}

// hears says that another server, which is in step, tells the service time, and how
// long it will stand there. It may have been told a while ago: so this server never
// goes back to it.
func (m *meter) hears(b live.Beat, stand time.Duration, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch ahead := b.Service - m.at(t); {
	case b.Epoch > m.epoch:
		m.last = time.Time{} // it was not in step, and has not known
	case b.Epoch < m.epoch || !m.inStep(t) || ahead <= 0:
	case m.stuck:
		m.base = b.Service
	default:
		m.set(b.Service, t.Add(stand))
		m.limit += ahead
	}
}

// tells returns what to tell others: nothing out of step.
func (m *meter) tells(t time.Time) (b live.Beat, stand time.Duration, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return live.Beat{Service: m.at(t), Epoch: m.epoch}, max(m.start.Sub(t), 0), m.inStep(t)
}

// exchange tells other servers of the service time, answers them, and hears them, until
// the context ends: what they decide about one game shall not differ by the time
// between beats.
func (m *meter) exchange(ctx context.Context, now func() time.Time, logger *slog.Logger) {
	stop, err := m.peers.Hear(
		func(b live.Beat, stand time.Duration) { m.hears(b, stand, now()) },
		func() (live.Beat, time.Duration, bool) { return m.tells(now()) })
	if err != nil {
		logger.Error("other servers are not heard", "error", err)
		return
	}
	defer stop()
	for ctx.Err() == nil {
		if b, stand, ok := m.tells(now()); ok {
			_ = m.peers.Tell(b, stand) // if nobody hears it, beats tell
		}
		sleep(ctx, tellEvery)
	}
}
