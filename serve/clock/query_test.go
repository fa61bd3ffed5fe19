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
