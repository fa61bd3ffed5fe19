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

// TestWaitSynced waits until commands may be decided: not at all under a lease, until a
// heartbeat is accepted, and at most for two seconds or until the time has stopped.
func TestWaitSynced(t *testing.T) {
	for _, test := range []struct {
		name  string
		last  time.Duration // age of the last accepted heartbeat at the call
		then  time.Duration // the next one comes after that; 0 for never
		until time.Duration // the context ends; 0 for never
		takes time.Duration
		err   error
	}{
		{"synchronized", leaseTime, 0, 0, 0, nil},
		{"a heartbeat comes", leaseTime + time.Millisecond, 300 * time.Millisecond, 0, 300 * time.Millisecond, nil},
		{"no heartbeat comes, and the time stops", leaseTime + time.Millisecond, 0, 0, time.Second, ErrNotSynced},
		{"it has stopped already", maxRunAhead + time.Second, 0, 0, 0, ErrNotSynced},
		{"the client is gone", leaseTime + time.Millisecond, 0, 100 * time.Millisecond, 100 * time.Millisecond, context.DeadlineExceeded},
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
				t.Errorf("%s: %v, want ErrNotSynced", test.name, err)
			}
		})
	}
}

// TestHoldLeft says how long the time still holds while players reconnect.
func TestHoldLeft(t *testing.T) {
	at, zero := seconds()
	m := New(Config{Hold: 5 * time.Second}, live.Heartbeat{Service: 7000}, zero)
	for after, want := range map[float64]time.Duration{0: 5 * time.Second, 2: 3 * time.Second, 5: 0, 60: 0} {
		if got := m.HoldLeft(at(after)); got != want {
			t.Errorf("after %g s it holds for %v, want %v", after, got, want)
		}
	}
}

// TestRejected lists what a rejected write does to the time: on a log of its own, a server
// stops until an event or a heartbeat is accepted; on a shared log it runs on.
func TestRejected(t *testing.T) {
	at, zero := seconds()
	for _, test := range []struct {
		name    string
		shared  bool
		then    func(m *Clock)
		want    int64 // at two seconds and a half
		stopped bool
	}{
		{"own log", false, func(*Clock) {}, 1000, true},
		{"own log, an event is accepted", false, func(m *Clock) { m.Accepted(at(2)) }, 1500, false},
		{"own log, a heartbeat is accepted", false, func(m *Clock) { heartbeat(m, live.Heartbeat{}, at(2)) }, 1500, false},
		{"shared log", true, func(*Clock) {}, 2500, false},
	} {
		m := New(Config{Shared: test.shared}, live.Heartbeat{}, zero)
		heartbeat(m, live.Heartbeat{}, at(0.5))
		m.Rejected(at(1))
		if test.then(m); m.Now(at(2.5)) != test.want || m.Stopped(at(2.5)) != test.stopped {
			t.Errorf("%s: the service time is %d, stopped %t, want %d, %t", test.name, m.Now(at(2.5)), m.Stopped(at(2.5)), test.want, test.stopped)
		}
	}
}

// TestStoppedWhileHeld checks that the time counts as stopped three seconds after the
// last heartbeat, also while it is held and could not run anyway.
func TestStoppedWhileHeld(t *testing.T) {
	at, zero := seconds()
	m := New(Config{Hold: 5 * time.Second}, live.Heartbeat{}, zero)
	if m.Stopped(at(3)) || !m.Stopped(at(3.1)) {
		t.Errorf("stopped after 3 s: %t, after 3.1 s: %t; want false, true", m.Stopped(at(3)), m.Stopped(at(3.1)))
	}
}

// TestSyncTimeout gives up waiting for peers after two seconds, although the time runs.
func TestSyncTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		m := New(Config{Shared: true, Peers: &peer{}}, live.Heartbeat{}, began)
		err := m.WaitSynced(t.Context(), time.Now)
		if took := time.Since(began); !errors.Is(err, ErrNotSynced) || took < syncTimeout || took > syncTimeout+20*time.Millisecond {
			t.Errorf("%v after %v, want ErrNotSynced after %v", err, took, syncTimeout)
		}
	})
}

// TestAccepted checks that an event accepted after an outage restarts the time at the
// last heartbeat, and that one under a lease changes nothing.
func TestAccepted(t *testing.T) {
	at, zero := seconds()
	m := New(Config{}, live.Heartbeat{}, zero)
	last := heartbeat(m, live.Heartbeat{}, at(1))
	if m.Accepted(at(2)); m.Now(at(2.5)) != 2500 {
		t.Errorf("under a lease: %d, want 2500", m.Now(at(2.5)))
	}
	m.Accepted(at(60))
	for s, want := range map[float64]int64{60: last.Service, 61: last.Service + 1000} {
		if got := m.Now(at(s)); got != want {
			t.Errorf("%g s: %d, want %d", s, got, want)
		}
	}
	if !m.Synced(at(61)) || m.Synced(at(62.1)) {
		t.Error("want an accepted event to give a lease of two seconds, as a heartbeat does")
	}
}

// TestWriteTimeout bounds how long it may take to read or write a heartbeat.
func TestWriteTimeout(t *testing.T) {
	own, shared := Clock{}, Clock{config: Config{Shared: true}}
	if own.timeout() != logTimeout || shared.timeout() != logTimeoutShared || logTimeoutShared >= leaseTime {
		t.Errorf("%v on its own log, %v on a shared one", own.timeout(), shared.timeout())
	}
}

// TestOutageLog logs the beginning and the end of an outage once, and short delays of a
// shared log not at all.
func TestOutageLog(t *testing.T) {
	_, zero := seconds()
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
		{"no outage", []step{{0, nil}, {1, nil}}, ""},
		{"one outage", []step{{0, broken}, {1, broken}}, "W"},
		{"that ends", []step{{0, broken}, {1, nil}, {2, nil}}, "WI"},
		{"two outages", []step{{0, broken}, {1, nil}, {2, broken}, {3, nil}}, "WIWI"},
		{"a peer writes first for a while", []step{{0, live.ErrStale}, {quietTime, errNoReading}, {quietTime + 1, nil}}, ""},
		{"a peer writes first for long", []step{{0, live.ErrStale}, {quietTime + 1, errNoReading}, {quietTime + 2, nil}}, "WI"},
		{"a peer writes first at times", []step{{0, errNoReading}, {quietTime, nil}, {quietTime + 1, errNoReading}, {quietTime + 2, errNoReading}}, ""},
	} {
		var out bytes.Buffer
		o := outageLog{logger: slog.New(slog.NewTextHandler(&out, nil))}
		for _, s := range test.steps {
			o.note(s.err, zero.Add(s.at))
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

// TestSlowHeartbeatLease checks that the lease runs from when a heartbeat was sent; on a
// log with one writer from when it was written, because no other server can have written
// since.
func TestSlowHeartbeatLease(t *testing.T) {
	at, zero := seconds()
	for shared, until := range map[bool]float64{false: 4.5, true: 3} {
		m := New(Config{Shared: shared}, live.Heartbeat{}, zero)
		h, err := m.next(live.Heartbeat{}, at(1))
		if err != nil {
			t.Fatal(err)
		}
		h.Seq = 1
		m.heartbeatAccepted(h, at(1), at(2.5))
		if !m.Synced(at(until)) || m.Synced(at(until+0.1)) {
			t.Errorf("shared %t: want it synchronized until %g s", shared, until)
		}
	}
}
