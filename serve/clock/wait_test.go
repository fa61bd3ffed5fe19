package clock

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestWaitSynced waits for a synchronized clock: not at all with a lease, until a
// heartbeat is accepted, and no longer than two seconds or until the clock has stopped.
func TestWaitSynced(t *testing.T) {
	for _, test := range []struct {
		name  string
		last  time.Duration // since the last accepted heartbeat
		then  time.Duration // until another one is accepted; 0 for never
		until time.Duration // the context ends; 0 for never
		takes time.Duration
		err   error
	}{
		{"leased", leaseTime, 0, 0, 0, nil},
		{"a heartbeat arrives", leaseTime + time.Millisecond, 300 * time.Millisecond, 0, 300 * time.Millisecond, nil},
		{"none arrives, and the clock stops", leaseTime + time.Millisecond, 0, 0, time.Second, ErrNotSynced},
		{"it has stopped already", maxRunAhead + time.Second, 0, 0, 0, ErrNotSynced},
		{"the caller gives up", leaseTime + time.Millisecond, 0, 100 * time.Millisecond, 100 * time.Millisecond, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			m := New(Config{}, live.Heartbeat{}, began.Add(-test.last))
			if test.then > 0 {
				time.AfterFunc(test.then, func() { heartbeat(m, live.Heartbeat{}, time.Now()) })
			}
			ctx := t.Context()
			if test.until > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.until)
				defer cancel()
			}
			err := m.WaitSynced(ctx, time.Now)
			took := time.Since(began)
			if !errors.Is(err, test.err) || took < test.takes || took > test.takes+10*time.Millisecond {
				t.Errorf("%s: %v after %v, want %v after %v", test.name, err, took, test.err, test.takes)
			}
			if test.err != nil && !errors.Is(err, ErrNotSynced) {
				t.Errorf("%s: %v does not say that the clock is not synchronized", test.name, err)
			}
		})
	}
}

// TestHoldLeft checks how long the time still holds while players reconnect.
func TestHoldLeft(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	m := New(Config{Hold: 5 * time.Second}, live.Heartbeat{Service: 7000}, zero)
	for after, want := range map[time.Duration]time.Duration{0: 5 * time.Second, 2 * time.Second: 3 * time.Second, 5 * time.Second: 0, time.Minute: 0} {
		if got := m.HoldLeft(zero.Add(after)); got != want {
			t.Errorf("after %v it holds for %v, want %v", after, got, want)
		}
	}
}

// TestRejected lists what a rejected write does: it stops the clock of a server that has
// the log to itself until an event or a heartbeat is accepted, and no other clock.
func TestRejected(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	for _, test := range []struct {
		name   string
		shared bool
		then   func(m *Clock)
		want   int64 // at two seconds and a half
		stands bool
	}{
		{"alone", false, func(*Clock) {}, 1000, true},
		{"alone, and an event is accepted", false, func(m *Clock) { m.Accepted(after(2)) }, 1500, false},
		{"alone, and a heartbeat is accepted", false, func(m *Clock) { heartbeat(m, live.Heartbeat{}, after(2)) }, 1500, false},
		{"one of several", true, func(*Clock) {}, 2500, false},
	} {
		m := New(Config{}, live.Heartbeat{}, zero)
		m.config.Shared = test.shared
		heartbeat(m, live.Heartbeat{}, after(0.5))
		m.Rejected(after(1))
		if test.then(m); m.Now(after(2.5)) != test.want || m.Stopped(after(2.5)) != test.stands {
			t.Errorf("%s: the service time is %d, stopped %t, want %d, %t", test.name, m.Now(after(2.5)), m.Stopped(after(2.5)), test.want, test.stands)
		}
	}
}

// TestAccepted wants the first accepted event after an outage to restart the time at the
// last heartbeat; events during a lease change nothing.
func TestAccepted(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	m := New(Config{}, live.Heartbeat{}, zero)
	last := heartbeat(m, live.Heartbeat{}, after(1))
	if m.Accepted(after(2)); m.Now(after(2.5)) != 2500 {
		t.Errorf("leased: %d, want 2500", m.Now(after(2.5)))
	}
	m.Accepted(after(60))
	for at, want := range map[float64]int64{60: last.Service, 61: last.Service + 1000, 64: last.Service + 3000} {
		if got := m.Now(after(at)); got != want {
			t.Errorf("%g s: %d, want %d", at, got, want)
		}
	}
	if !m.Synced(after(61)) || m.Synced(after(62.1)) {
		t.Error("an event grants a lease of two seconds, as a heartbeat does")
	}
}

// TestTimeout bounds how long reading or writing a heartbeat may take.
func TestTimeout(t *testing.T) {
	alone, shared := Clock{}, Clock{config: Config{Shared: true}}
	if alone.timeout() != logTimeout || shared.timeout() != logTimeoutShared || logTimeoutShared >= leaseTime {
		t.Errorf("%v alone, %v of several", alone.timeout(), shared.timeout())
	}
}

// TestOutageLog logs the beginning and the end of an outage once each, and nothing about
// short ones.
func TestOutageLog(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	broken := errors.New("broken")
	type step struct {
		at  time.Duration
		err error
	}
	for _, test := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"nothing", []step{{0, nil}, {1, nil}}, ""},
		{"broken, and again", []step{{0, broken}, {1, broken}}, "W"},
		{"over again", []step{{0, broken}, {1, nil}, {2, nil}}, "WI"},
		{"twice", []step{{0, broken}, {1, nil}, {2, broken}, {3, nil}}, "WIWI"},
		{"another is quicker for a while", []step{{0, live.ErrStale}, {quietTime, errNoReading}, {quietTime + 1, nil}}, ""},
		{"another is quicker for long", []step{{0, live.ErrStale}, {quietTime + 1, errNoReading}, {quietTime + 2, nil}}, "WI"},
		{"at times", []step{{0, errNoReading}, {quietTime, nil}, {quietTime + 1, errNoReading}, {quietTime + 2, errNoReading}}, ""},
	} {
		var out bytes.Buffer
		r := outageLog{logger: slog.New(slog.NewTextHandler(&out, nil))}
		for _, s := range test.steps {
			r.note(s.err, zero.Add(s.at))
		}
		got := ""
		for line := range strings.Lines(out.String()) {
			switch {
			case strings.Contains(line, "level=WARN"):
				got += "W"
			case strings.Contains(line, "level=INFO"):
				got += "I"
			}
		}
		if got != test.want {
			t.Errorf("%s: logs %q, want %q: %s", test.name, got, test.want, out.String())
		}
	}
}

// TestSlowWriteLease wants the lease of a slow heartbeat to run from its acknowledgement
// on a server that has the log to itself: nobody else can have written since.
func TestSlowWriteLease(t *testing.T) {
	zero := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	after := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	for shared, sure := range map[bool]float64{false: 4.5, true: 3} {
		m := New(Config{}, live.Heartbeat{}, zero)
		m.config.Shared = shared
		b, err := m.next(live.Heartbeat{}, after(1))
		if err != nil {
			t.Fatal(err)
		}
		b.Seq = 1
		m.heartbeatAccepted(b, after(1), after(2.5))
		if !m.Synced(after(sure)) || m.Synced(after(sure+0.1)) {
			t.Errorf("shared %t: it is not synchronized until %g s", shared, sure)
		}
	}
}
