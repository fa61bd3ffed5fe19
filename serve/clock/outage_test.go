package clock

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestSilentPeers checks that the heartbeats of peers which answer no query set the time,
// even if this server has run ahead of them.
func TestSilentPeers(t *testing.T) {
	at, zero := seconds()
	m := New(Config{Shared: true, Name: "this one"}, live.Heartbeat{}, zero)
	heartbeat(m, live.Heartbeat{}, at(1))
	last := func(s int) live.Heartbeat {
		return live.Heartbeat{Service: 1500 + 300*int64(s), Seq: 5 + uint64(s)}
	}
	for s := range 3 {
		if h, err := m.next(last(s), at(9+1.1*float64(s))); err == nil {
			t.Fatalf("after %d heartbeats of peers it writes %v, want it to wait for a reading", s+1, h)
		}
	}
	h, err := m.next(last(3), at(12.3))
	if want := (live.Heartbeat{Service: 2400, By: "this one"}); h != want || err != nil {
		t.Fatalf("it writes %v, %v, want %v", h, err, want)
	}
	m.heartbeatAccepted(h, at(12.3), at(12.3))
	if got := m.Now(at(12.5)); got != 2600 {
		t.Errorf("0.2 s later the service time is %d, want 2600", got)
	}
}

// TestAdoptEpoch checks that a server that adopts a heartbeat of its peers goes on in their epoch.
func TestAdoptEpoch(t *testing.T) {
	at, zero := seconds()
	m := New(Config{Shared: true}, live.Heartbeat{}, zero)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.adopt(live.Heartbeat{Service: 5000, Epoch: 2}, at(1)); m.epoch != 2 || m.base != 5000 {
		t.Errorf("epoch %d at %d, want 2 at 5000", m.epoch, m.base)
	}
}

// fullLog rejects heartbeats because the disk is full.
type fullLog struct{}

func (fullLog) LastHeartbeat(context.Context) (live.Heartbeat, error) { return live.Heartbeat{}, nil }

func (fullLog) WriteHeartbeat(context.Context, uint64, live.Heartbeat) (uint64, error) {
	return 0, live.ErrFull
}

// TestFullDisk checks that the time stops at once when the disk is full, unless other
// servers write to the log, too.
func TestFullDisk(t *testing.T) {
	for _, shared := range []bool{false, true} {
		at, zero := seconds()
		m := New(Config{Shared: shared}, live.Heartbeat{}, zero)
		if err := m.Heartbeat(t.Context(), fullLog{}, func() time.Time { return at(1) }); err == nil {
			t.Error("want an error from a full disk")
		}
		if got := m.Stopped(at(1.1)); got == shared {
			t.Errorf("shared %t: stopped %t", shared, got)
		}
	}
}

// TestSlowWrite checks that the time stops after SlowWrite until an event is accepted,
// and not at all for a quick write or on a shared log.
func TestSlowWrite(t *testing.T) {
	for _, c := range []struct {
		takes   time.Duration
		shared  bool
		stopped bool
	}{{SlowWrite - time.Millisecond, false, false}, {2 * SlowWrite, false, true}, {2 * SlowWrite, true, false}} {
		synctest.Test(t, func(t *testing.T) {
			m := New(Config{Shared: c.shared}, live.Heartbeat{}, time.Now())
			done := m.WatchWrite(time.Now, func(_ string, d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, f) })
			time.Sleep(c.takes)
			want := c.takes.Milliseconds()
			if c.stopped {
				want = SlowWrite.Milliseconds()
			}
			if got := m.Now(time.Now()); got != want || m.Stopped(time.Now()) != c.stopped || done() != c.stopped {
				t.Errorf("a write of %s, shared %t: the service time is %d, stopped %t, want %d, %t", c.takes, c.shared, got, m.Stopped(time.Now()), want, c.stopped)
			}
			time.Sleep(2 * SlowWrite)
			if m.Stopped(time.Now()) != c.stopped {
				t.Errorf("a write of %s stops the time after its end", c.takes)
			}
		})
	}
}
