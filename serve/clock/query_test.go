package clock

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// peer answers queries with a reading after a delay, or not at all.
type peer struct {
	reading live.ClockReading
	delay   time.Duration
	err     error
}

func (p *peer) Announce(live.ClockReading) error { return nil }

func (p *peer) Query(context.Context) (live.ClockReading, error) {
	time.Sleep(p.delay)
	return p.reading, p.err
}

func (p *peer) Subscribe(func(live.ClockReading), func() (live.ClockReading, bool)) (stop func(), err error) {
	return func() {}, nil
}

// TestQuery lists what an answer of a peer does to a server that is at epoch 2, 10 s, and
// not synchronized.
func TestQuery(t *testing.T) {
	const full = leaseTime - 10*time.Millisecond
	for _, c := range []struct {
		name   string
		peer   peer
		want   int64 // service time after the answer
		synced bool
		enough bool // the lease lasts until after the next heartbeat
	}{
		{"a reading", peer{reading: live.ClockReading{Service: 9000, Epoch: 2, Lease: full}}, 9000, true, true},
		{"a reading of a newer epoch", peer{reading: live.ClockReading{Service: 7000, Epoch: 3, Lease: full}}, 7000, true, true},
		{"a reading with a short lease", peer{reading: live.ClockReading{Service: 9000, Epoch: 2, Lease: time.Second}}, 9000, true, false},
		{"a reading of an older epoch", peer{reading: live.ClockReading{Service: 12_000, Epoch: 1, Lease: full}}, 10_000, false, false},
		{"a late answer", peer{reading: live.ClockReading{Service: 9000, Epoch: 2, Lease: full}, delay: queryTimeout + time.Millisecond}, 10_301, false, false},
		{"no answer", peer{err: errors.New("no responders")}, 10_000, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := New(Config{Shared: true, Peers: &c.peer}, live.Heartbeat{Service: 10_000, Epoch: 2}, time.Now())
			enough := m.query(t.Context(), time.Now)
			if got, synced := m.Read(time.Now()); got != c.want || synced != c.synced || enough != c.enough {
				t.Errorf("%s: service time %d, synchronized %t, for long enough %t; want %d, %t, %t", c.name, got, synced, enough, c.want, c.synced, c.enough)
			}
		})
	}
}

// TestQueryAhead checks that a peer's answer moves a synchronized server's time forward,
// and never back.
func TestQueryAhead(t *testing.T) {
	for service, want := range map[int64]int64{12_000: 12_000, 9000: 10_500} {
		synctest.Test(t, func(t *testing.T) {
			p := &peer{reading: live.ClockReading{Service: service, Epoch: 2, Lease: leaseTime}}
			m := New(Config{Shared: true, Peers: p}, live.Heartbeat{Service: 10_000, Epoch: 2}, time.Now())
			m.renew(time.Now(), time.Now())
			time.Sleep(500 * time.Millisecond)
			m.query(t.Context(), time.Now)
			if got := m.Now(time.Now()); got != want {
				t.Errorf("a peer reads %d: %d, want %d", service, got, want)
			}
		})
	}
}

// TestRegressedLog checks that no heartbeat is written after one that is older than
// another that was seen, until the newer ones count as lost ten seconds later.
func TestRegressedLog(t *testing.T) {
	at, zero := seconds()
	for _, c := range []struct {
		name    string
		shared  bool
		at      float64 // the older heartbeat is first seen at 1 s
		refused bool
	}{
		{"at once", true, 1, true},
		{"until ten seconds later", true, 11, true},
		{"no longer", true, 11.1, false},
		{"no other server writes", false, 1, false},
	} {
		m := New(Config{Shared: c.shared}, live.Heartbeat{}, zero)
		m.observeHeartbeat(live.Heartbeat{Seq: 5}, zero)
		_, _ = m.next(live.Heartbeat{Seq: 3}, at(1)) // the case at 1 s asks again
		if _, err := m.next(live.Heartbeat{Seq: 3}, at(c.at)); (err != nil) != c.refused {
			t.Errorf("%s: %v, want it refused: %t", c.name, err, c.refused)
		}
	}
}
