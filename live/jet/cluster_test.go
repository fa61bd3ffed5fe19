package jet_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
	"quintet/live/jet"
)

// hung is the timeout for events that must happen. It is generous, because the machine may
// be busy.
const hung = 2 * time.Minute

// TestJoinsWithoutOne checks that a server joins a cluster that has lost one server of
// three, and that nothing is written while the lost one, once it is back, could lose what
// it acknowledges.
func TestJoinsWithoutOne(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes half a minute")
	}
	c := form(t, true)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	c.stop(2)
	if l, err = jet.Join(t.Context(), c.address(), quiet()); err != nil {
		t.Fatalf("joining without one server of three: %v", err)
	}
	defer func() { _ = l.Close() }()
	taken := func(want bool) {
		t.Helper()
		var err error
		for began := time.Now(); time.Since(began) < hung; time.Sleep(50 * time.Millisecond) {
			var last uint64
			if list, err := l.Read(t.Context(), "game"); err == nil && len(list) > 0 {
				last = list[len(list)-1].Seq
			}
			_, err = l.Append(t.Context(), "game", last, []byte("text"))
			if want && err == nil || !want && err != nil && strings.Contains(err.Error(), "before they are on the disk") {
				return
			}
		}
		t.Fatalf("an event is taken: %v, want %t", err, want)
	}
	taken(true)
	unsafe := c.config[2].Clone()
	unsafe.SyncAlways, unsafe.SyncInterval = false, 2*time.Minute
	c.nodes[2] = c.boot(t, unsafe)
	taken(false)
	if _, err := l.WriteHeartbeat(t.Context(), 0, live.Heartbeat{}); err == nil {
		t.Error("a heartbeat was accepted, want it rejected")
	}
	c.stop(2)
	c.nodes[2] = c.boot(t, c.config[2])
	taken(true)
}

// TestRequestElection checks that NATS servers understand a request for an election: they elect a leader in a term
// after that of the request, and the log goes on.
func TestRequestElection(t *testing.T) {
	c := form(t, true)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	var before uint64
	for began := time.Now(); time.Since(began) < hung; time.Sleep(50 * time.Millisecond) {
		if before == 0 {
			before = jet.RequestElection(t.Context(), l)
		}
		if term, led := jet.MetaTerm(t.Context(), l); before > 0 && term > before+1 && led {
			return
		}
	}
	t.Errorf("no leader was elected after a request in term %d", before+1)
}

// TestReadsFromLeader reads a game from the leader if no replica answers, for example
// because its process is frozen.
func TestReadsFromLeader(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	const events = 20
	after := uint64(0)
	for n, tries := 0, 0; n < events; tries++ {
		if tries == 2*events {
			t.Fatalf("%d events after %d tries: %v", n, tries, err)
		}
		if after, err = l.Append(t.Context(), "game", after, []byte("text")); err == nil {
			n++
			continue
		}
		list, readErr := l.Read(t.Context(), "game") // the leader changed: an event may be there whose answer was lost
		if readErr != nil {
			t.Fatal(errors.Join(err, readErr))
		}
		if n, after = len(list), 0; n > 0 {
			after = list[n-1].Seq
		}
	}
	c.update(t, func(s *jetstream.StreamConfig) { s.AllowDirect = false }) // now none does
	list, err := l.Read(t.Context(), "game")
	if err != nil || len(list) != events {
		t.Errorf("%d events are read, want %d (%v)", len(list), events, err)
	}
}

// update changes the stream of the events.
func (c *cluster) update(t *testing.T, change func(*jetstream.StreamConfig)) {
	t.Helper()
	conn, err := nats.Connect(c.address().URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "QUINTET")
	if err != nil {
		t.Fatal(err)
	}
	config := s.CachedInfo().Config
	change(&config)
	if _, err := js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}

// TestQuery checks that a server that knows the service time answers a query for it, and
// that the one that asks does not.
func TestQuery(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	want := live.ClockReading{Service: 1 << 40, Epoch: 1 << 60, Hold: time.Minute, Lease: time.Second}
	var knows [3]atomic.Bool
	var logs [3]*jet.Log
	for i := range logs {
		l, err := jet.Join(t.Context(), c.address(), quiet())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		stop, err := l.Subscribe(func(live.ClockReading) {}, func() (live.ClockReading, bool) { return want, knows[i].Load() })
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		logs[i] = l
	}
	ask := func(timeout time.Duration) (live.ClockReading, error) {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		return logs[0].Query(ctx)
	}
	knows[0].Store(true)
	if got, err := ask(300 * time.Millisecond); err == nil {
		t.Errorf("no other server knows it, and the answer is %v", got)
	}
	knows[2].Store(true)
	var got live.ClockReading
	var err error
	for began := time.Now(); got != want && time.Since(began) < hung; { // the first queries may be lost
		got, err = ask(5 * time.Second)
	}
	if got != want || err != nil {
		t.Errorf("the answer is %v, %v; want %v", got, err, want)
	}
}

// TestAnnounce checks that readings reach other servers as long as they subscribe.
func TestAnnounce(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	var logs [2]*jet.Log
	for i := range logs {
		l, err := jet.Join(t.Context(), c.address(), quiet())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		logs[i] = l
	}
	l, other := logs[0], logs[1]
	heard := make(chan live.ClockReading, 1000)
	stop, err := l.Subscribe(func(b live.ClockReading) { heard <- b }, func() (live.ClockReading, bool) { return live.ClockReading{}, false })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []live.ClockReading{{}, {Service: 17, Epoch: 3, Hold: time.Second}, {Service: 1 << 40, Epoch: 1 << 60, Lease: time.Minute}} {
		got := live.ClockReading{Service: -1}
		for began := time.Now(); got != want && time.Since(began) < hung; { // the first messages may be lost
			for log, b := range map[*jet.Log]live.ClockReading{l: {Service: 99}, other: want} { // it does not hear itself
				if err := log.Announce(b); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case got = <-heard:
				if got.Service == 99 {
					t.Fatal("it hears itself")
				}
			case <-time.After(50 * time.Millisecond):
			}
		}
		if got != want {
			t.Errorf("heard %v, want %v", got, want)
		}
	}
	stop()
	if _, err := l.Last(t.Context()); err != nil { // its answer comes after duplicates that are on their way
		t.Fatal(err)
	}
	for len(heard) > 0 {
		<-heard
	}
	if err := other.Announce(live.ClockReading{Service: 18}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Last(t.Context()); err != nil { // its answer comes after the announcement would have arrived
		t.Fatal(err)
	}
	for len(heard) > 0 {
		if got := <-heard; got.Service == 18 {
			t.Errorf("heard %v after it was to stop", got)
		}
	}
}
