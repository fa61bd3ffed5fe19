package clock

import (
	"testing"
	"time"

	"quintet/live"
)

// seconds returns a function from seconds to moments, and the moment 0.
func seconds() (at func(float64) time.Time, zero time.Time) {
	zero = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	return func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }, zero
}

// TestClock lists what the service time does on a server that has the log to itself.
func TestClock(t *testing.T) {
	at, zero := seconds()
	m := New(Config{Hold: 5 * time.Second}, live.Heartbeat{Service: 10_000}, zero)
	var last live.Heartbeat
	for _, c := range []struct {
		name string
		at   float64
		last int64 // service time of the last heartbeat in the log; -1 for no heartbeat now
		want int64
	}{
		{"it holds after the start", 0, -1, 10_000},
		{"until players have reconnected", 5, 10_000, 10_000},
		{"then it runs", 6, 10_500, 11_000},
		{"it runs ahead without a heartbeat", 8.9, -1, 13_900},
		{"for three seconds, then stops", 60, -1, 14_000},
		{"a heartbeat ends the outage, which is not charged", 61, 10_500, 11_000},
		{"it runs from there", 62, 11_500, 12_000},
		{"a server that is ahead moves it forward", 62, 12_400, 12_400},
		{"a server that is behind does not move it", 63, 9_000, 13_400},
	} {
		if c.last >= 0 {
			last.Service = max(last.Service, c.last)
			last = heartbeat(m, last, at(c.at))
		}
		if got := m.Now(at(c.at)); got != c.want {
			t.Errorf("%s: at %g s the service time is %d, want %d", c.name, c.at, got, c.want)
		}
	}
}

// TestSlowStart checks that the hold after a start goes on if the log is slow: if the first heartbeat, or the first event,
// comes after the lease of the start has ended.
func TestSlowStart(t *testing.T) {
	at, zero := seconds()
	for name, first := range map[string]func(*Clock){
		"heartbeat": func(m *Clock) { heartbeat(m, live.Heartbeat{Service: 10_000, Seq: 1}, at(2.5)) },
		"event":     func(m *Clock) { m.Accepted(at(2.5)) },
	} {
		m := New(Config{Hold: 5 * time.Second}, live.Heartbeat{Service: 10_000, Seq: 1}, zero)
		first(m)
		if got := m.Now(at(4.9)); got != 10_000 {
			t.Errorf("%s: at 4.9 s the service time is %d, want 10000, held", name, got)
		}
		if got := m.Now(at(6)); got != 11_000 {
			t.Errorf("%s: at 6 s it is %d, want 11000, running", name, got)
		}
	}
}

// TestRejectedEvents checks that heartbeats do not restart a clock that stopped because
// events were rejected.
func TestRejectedEvents(t *testing.T) {
	at, zero := seconds()
	m := New(Config{}, live.Heartbeat{}, zero)
	m.halt(at(1))
	heartbeat(m, live.Heartbeat{Service: 900}, at(2))
	if got := m.Now(at(2)); got != 1000 || !m.Stopped(at(2)) {
		t.Errorf("a second after an event was rejected, the service time is %d, want 1000, stopped", got)
	}
	m.Accepted(at(60))
	heartbeat(m, live.Heartbeat{Service: 900, Seq: 1}, at(61))
	if got := m.Now(at(62)); got != 3000 || m.Stopped(at(62)) {
		t.Errorf("two seconds after an event was accepted, it is %d, want 3000, running", got)
	}
}

// TestSlowHeartbeat checks that a heartbeat which took a minute to write is charged to
// nobody on a log of one server.
func TestSlowHeartbeat(t *testing.T) {
	at, zero := seconds()
	m := New(Config{}, live.Heartbeat{}, zero)
	h, err := m.next(live.Heartbeat{}, at(1))
	if err != nil {
		t.Fatal(err)
	}
	h.Seq = 1
	m.heartbeatAccepted(h, at(1), at(61))
	heartbeat(m, h, at(61))
	if got := m.Now(at(62)); got != 2000 || m.Stopped(at(62)) {
		t.Errorf("a second after the heartbeat of second 1 was written, the service time is %d, want 2000", got)
	}
}

// heartbeat lets a server write a heartbeat after the last one of any server, if it does.
func heartbeat(m *Clock, last live.Heartbeat, t time.Time) live.Heartbeat {
	if h, err := m.next(last, t); err == nil {
		h.Seq = last.Seq + 1
		m.heartbeatAccepted(h, t, t)
		return h
	}
	return last
}

// TestSharedClock lists what the service time does on a shared log, in which this server
// wrote a heartbeat at second 1: synchronized, cut off, and after an outage.
func TestSharedClock(t *testing.T) {
	at, zero := seconds()
	last := func(service int64, epoch, seq uint64) live.Heartbeat {
		return live.Heartbeat{Service: service, Epoch: epoch, Seq: seq}
	}
	for _, c := range []struct {
		name    string
		do      func(m *Clock)
		at      float64
		want    int64
		synced  bool
		stopped bool
	}{
		{"it holds a lease", func(*Clock) {}, 2.9, 2900, true, false},
		{"the lease has expired", func(*Clock) {}, 3.5, 3500, false, false},
		{"it has stopped", func(*Clock) {}, 60, 4000, false, true},
		{"a new epoch begins at the last heartbeat, and holds", func(m *Clock) { heartbeat(m, last(1000, 0, 1), at(9)) }, 10.9, 1000, true, false},
		{"after the hold it runs", func(m *Clock) {
			for seq := range uint64(6) {
				heartbeat(m, last(1000, min(seq, 1), seq+1), at(9+float64(seq)))
			}
		}, 15, 2000, true, false},
		{"another server wrote heartbeats and may hold a lease", func(m *Clock) { heartbeat(m, last(7500, 0, 5), at(9)) }, 9.1, 4000, false, true},
		{"an announced reading may be old and gives no lease", func(m *Clock) {
			m.observe(live.ClockReading{Service: 9200}, at(9.2))
			heartbeat(m, last(7500, 0, 5), at(9.25))
		}, 9.3, 4000, false, true},
		{"the other server's lease has expired, too", func(m *Clock) {
			heartbeat(m, last(7500, 0, 5), at(9))
			heartbeat(m, last(7500, 0, 5), at(11.1))
		}, 12, 7500, true, false},
		{"peers wrote for three seconds and answered no query", func(m *Clock) {
			for s := range 4 {
				heartbeat(m, last(7500+1000*int64(s), 0, 5+uint64(s)), at(9+1.1*float64(s)))
			}
		}, 12.5, 10700, true, false},
		{"another server's heartbeat may equal its own", func(m *Clock) {
			_, _ = m.next(last(1000, 0, 1), at(9))
			heartbeat(m, last(1000, 1, 2), at(10))
			heartbeat(m, last(1000, 1, 2), at(11.05))
		}, 11.1, 4000, false, true},
		{"it finds its own heartbeat, whose acknowledgement was lost", func(m *Clock) {
			h, _ := m.next(last(1000, 0, 1), at(9))
			h.Seq = 2
			m.observeHeartbeat(h, at(9.5))
		}, 9.6, 1000, true, false},
		{"peers that have just begun an epoch are not silent", func(m *Clock) {
			m.mustSync = true
			heartbeat(m, last(1900, 0, 2), at(2.5))
			heartbeat(m, last(1900, 1, 3), at(60))
		}, 60.1, 4000, false, true},
		{"a heartbeat that took a minute gives no lease", func(m *Clock) {
			h, _ := m.next(last(1000, 0, 1), at(2))
			m.heartbeatAccepted(h, at(2), at(60))
		}, 60.1, 4000, false, true},
		{"an accepted event gives no lease", func(m *Clock) { m.Accepted(at(9)) }, 9.1, 4000, false, true},
		{"a reading ahead moves the time forward", func(m *Clock) { m.observe(live.ClockReading{Service: 5000}, at(2)) }, 2.5, 5500, true, false},
		{"a late reading does not", func(m *Clock) { m.observe(live.ClockReading{Service: 500}, at(2)) }, 2.5, 2500, true, false},
		{"nor does one of an older epoch", func(m *Clock) {
			heartbeat(m, last(1000, 0, 1), at(9))
			m.observe(live.ClockReading{Service: 4000}, at(9.1))
		}, 10, 1000, true, false},
		{"a reading of a newer epoch voids the lease", func(m *Clock) { m.observe(live.ClockReading{Service: 1500, Epoch: 1}, at(2)) }, 2.5, 2500, false, false},
		{"so does a heartbeat of a newer epoch", func(m *Clock) { heartbeat(m, last(1500, 1, 4), at(2)) }, 2.1, 2100, false, false},
		{"a heartbeat older than one seen before is ignored", func(m *Clock) {
			heartbeat(m, last(1900, 0, 4), at(2))
			heartbeat(m, last(1000, 0, 1), at(9))
		}, 9, 5000, false, true},
	} {
		m := New(Config{Shared: true, Name: "this one"}, live.Heartbeat{}, zero)
		m.config.Hold = 5 * time.Second // after an outage; none at the start
		heartbeat(m, live.Heartbeat{}, at(1))
		c.do(m)
		if got := m.Now(at(c.at)); got != c.want || m.Synced(at(c.at)) != c.synced || m.Stopped(at(c.at)) != c.stopped {
			t.Errorf("%s: at %g s the service time is %d, synchronized %t, stopped %t; want %d, %t, %t",
				c.name, c.at, got, m.Synced(at(c.at)), m.Stopped(at(c.at)), c.want, c.synced, c.stopped)
		}
	}
}
