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
// written only behind the last one that its server knows. A server is in step, and
// decides what others want, for two seconds after it sent one that was taken. Who is not
//   - asks the others where they are. Those answer who are in step, and for how long they
//     will be; for so long is who has asked, too;
//   - if nobody answers, and the last beat of any server is more than two seconds old,
//     nobody is in step, because nobody could write. It writes the time of that beat once
//     more, as the first of a new epoch, and all others go on from there, too: the outage
//     is charged to nobody.
//
// A beat that was sent before and comes late is not written, because another one came
// first; and what was told in an older epoch is not heard.
type agreed struct {
	seen       live.Beat // the last beat of any server
	since      time.Time // it was sent before that
	lower      time.Time // since when the log has one before that; zero if it does not
	sent       live.Beat // the last one of this server
	sentAt     time.Time
	unanswered time.Time // since when others write, and nobody answers; zero if they do not, or do
}

const (
	askTime   = 300 * time.Millisecond // how late an answer may be: it says where others were
	mutedTime = 3 * time.Second        // how long others may write and not answer; then their beats have to do
	lowerTime = 10 * time.Second       // how long the log may have lost beats; then they are lost
	tellEvery = 200 * time.Millisecond // how often those who are in step tell each other where they are
)

var errApart = errors.New("it is not known yet where other servers are")

// beat reads the last beat, and writes the next one.
func (m *meter) beat(ctx context.Context, l live.Log, now func() time.Time) error {
	last, err := m.lastBeat(ctx, l)
	if err != nil {
		return err
	}
	if m.wonders(last, now()) {
		m.ask(ctx, now)
	}
	sent := now()
	b, err := m.next(last, sent)
	if err != nil {
		return err
	}
	b.Seq, err = m.write(ctx, l, last.Seq, b)
	switch {
	case err == nil:
		m.taken(b, sent, now())
		return nil
	case errors.Is(err, live.ErrFull):
		m.refused(now())
	case errors.Is(err, live.ErrStale) && m.ask(ctx, now): // another server's came first, which does for all
		return nil
	}
	return fmt.Errorf("writing a beat: %w", err)
}

// wonders reports whether others are to be asked where they are: this server may be out
// of step before its next beat is written, and another one may be in step.
func (m *meter) wonders(last live.Beat, t time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	nobody := last.Seq == m.agreed.seen.Seq && t.Sub(m.agreed.since) > sureFor
	return !nobody && (m.out || t.Sub(m.last) > sureFor-beatEvery+beatSoon)
}

// beatTime is how long it may take to read or write a beat. Of a cluster, what was sent
// while nobody led is never answered: it is soon sent again.
const (
	beatTime       = 4 * time.Second
	beatTimeShared = time.Second
)

func (m *meter) patience() time.Duration {
	if m.shared {
		return beatTimeShared
	}
	return beatTime
}

func (m *meter) write(ctx context.Context, l live.Log, after uint64, b live.Beat) (seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.patience())
	defer cancel()
	return l.Beat(ctx, after, b)
}

func (m *meter) lastBeat(ctx context.Context, l live.Log) (live.Beat, error) {
	ctx, cancel := context.WithTimeout(ctx, m.patience()/2)
	defer cancel()
	b, err := l.LastBeat(ctx)
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.agreed.unanswered = time.Time{} // it is not known whether they write
		return b, fmt.Errorf("reading the beats: %w", err)
	}
	return b, nil
}

// ask asks others where they are, goes on from there, and reports whether this server
// is in step by that for a while.
func (m *meter) ask(ctx context.Context, now func() time.Time) bool {
	if m.peers == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	began := now()
	told, err := m.peers.Ask(ctx)
	if err != nil {
		return false // nobody is there, or in step
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	t := now()
	if told.Epoch < m.epoch || t.Sub(began) > askTime {
		return false
	}
	if !m.inStep(t) || told.Epoch > m.epoch || told.Service > m.at(t) {
		m.set(told.Service, t.Add(told.Stand))
	}
	m.epoch, m.agreed.unanswered = told.Epoch, time.Time{}
	m.extend(began.Add(told.Sure-sureFor), t)
	return sureFor-t.Sub(m.last) > beatEvery+2*beatSoon // until after the next beat
}

// next returns the beat to write behind the last one of any server.
func (m *meter) next(last live.Beat, t time.Time) (b live.Beat, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.deposed(last, t) {
		return b, fmt.Errorf("the last beat is %d, and was %d: %w", last.Seq, m.agreed.seen.Seq, errApart)
	}
	m.look(last, t)
	a, goesOn := &m.agreed, m.stuck // who stood need not go back
	switch {
	case m.inStep(t) && last.Epoch <= m.epoch || goesOn:
		b = live.Beat{Service: max(m.at(t), last.Service), Epoch: m.epoch}
	case !m.shared || t.Sub(a.since) > sureFor:
		b = live.Beat{Service: last.Service, Epoch: max(last.Epoch, m.epoch) + 1}
	case !a.unanswered.IsZero() && t.Sub(a.unanswered) > mutedTime:
		m.follow(last, t)
		b = live.Beat{Service: last.Service, Epoch: last.Epoch}
	default:
		if m.out = true; a.unanswered.IsZero() {
			a.unanswered = t
		}
		return b, errApart
	}
	b.By = m.name
	a.sent, a.sentAt = b, t
	return b, nil
}

// deposed reports whether a beat was read from a server that does not know yet that it
// leads no more. The caller holds mu.
func (m *meter) deposed(last live.Beat, t time.Time) bool {
	a := &m.agreed
	switch {
	case last.Seq >= a.seen.Seq:
		a.lower = time.Time{}
	case a.lower.IsZero():
		a.lower = t
	}
	return m.shared && !a.lower.IsZero() && t.Sub(a.lower) <= lowerTime
}

// follow lets the time go on from the last beat of others, who do not say where they
// are. The caller holds mu.
func (m *meter) follow(last live.Beat, t time.Time) {
	if last.Epoch > m.epoch { // it may have just begun
		t = t.Add(m.stand)
	}
	m.set(last.Service, t)
	m.epoch = last.Epoch
}

// look takes note of the last beat. It may be one of this server, of which it was not
// known whether it was written. The caller holds mu.
func (m *meter) look(last live.Beat, t time.Time) {
	a := &m.agreed
	if last.Seq == a.seen.Seq {
		return
	}
	if last.Epoch != a.seen.Epoch {
		a.unanswered = time.Time{}
	}
	a.seen, a.since = last, t
	if !m.shared || last.By != m.name {
		return
	}
	a.since = a.sentAt
	if last.Service == a.sent.Service && last.Epoch == a.sent.Epoch {
		m.accept(last, a.sentAt, t)
	}
}

// taken says that the log has taken a beat, and when that was sent.
func (m *meter) taken(b live.Beat, sent, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.agreed.seen, m.agreed.since = b, sent
	if m.await {
		m.release(t)
	}
	if !m.stuck {
		m.accept(b, sent, t)
	}
}

// accept goes on by a beat of this server that is in the log. One that took too long
// says nothing of now. The caller holds mu.
func (m *meter) accept(b live.Beat, sent, t time.Time) {
	if b.Epoch < m.epoch || t.Sub(sent) > sureFor {
		return
	}
	switch {
	case b.Epoch > m.epoch: // an outage is over, for which nobody pays
		m.set(b.Service, t.Add(m.stand))
	case b.Service > m.at(t): // another server is ahead
		m.set(b.Service, later(m.start, t))
	}
	if !m.shared {
		sent = t // nobody else can have written since
	}
	m.epoch, m.agreed.unanswered = b.Epoch, time.Time{}
	m.extend(sent, t)
}

// hears says that another server, which is in step, tells the service time. It may have
// been told a while ago: so this server never goes back to it.
func (m *meter) hears(told live.Told, t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch ahead := told.Service - m.at(t); {
	case told.Epoch > m.epoch:
		m.out = true // and has not known
	case told.Epoch == m.epoch && m.inStep(t) && ahead > 0:
		m.set(told.Service, t.Add(told.Stand))
		m.limit += ahead
	}
}

// tells returns what to tell others: nothing out of step.
func (m *meter) tells(t time.Time) (told live.Told, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return live.Told{Service: m.at(t), Epoch: m.epoch, Stand: max(m.start.Sub(t), 0), Sure: sureFor - t.Sub(m.last)}, m.inStep(t)
}

// exchange tells other servers of the service time, answers them, and hears them, until
// the context ends: what they decide about one game shall not differ by the time
// between beats.
func (m *meter) exchange(ctx context.Context, now func() time.Time, logger *slog.Logger) {
	stop, err := m.peers.Hear(
		func(told live.Told) { m.hears(told, now()) },
		func() (live.Told, bool) { return m.tells(now()) })
	if err != nil {
		logger.Error("other servers are not heard", "error", err)
		return
	}
	defer stop()
	for ctx.Err() == nil {
		if told, ok := m.tells(now()); ok {
			_ = m.peers.Tell(told) // if nobody hears it, beats tell
		}
		sleep(ctx, tellEvery)
	}
}
