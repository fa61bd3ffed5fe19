package clock

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestClocksAgree simulates three servers while random faults happen to the log, the
// network and the processes, and samples all synchronized servers every 10 ms. Between
// any two samples, on any two servers, no more service time passes than real time: no
// player's clock jumps. And an outage of all servers is charged to neither player.
func TestClocksAgree(t *testing.T) {
	begun := 0
	for seed := range uint64(20) { // of 3,000, none fails
		synctest.Test(t, func(t *testing.T) {
			s := newSim(t, seed, 3)
			s.run()
			begun += s.begun
		})
	}
	if begun > 2 { // of about 80
		t.Errorf("%d times the server that stayed up began an epoch, want that to be rare", begun)
	}
}

// TestClocksAgreeOnSlowDisks checks that servers synchronize even if a heartbeat takes
// long to write and makes all others fail: the one that is written serves all.
func TestClocksAgreeOnSlowDisks(t *testing.T) {
	for _, slow := range []time.Duration{0, 200 * time.Millisecond, 400 * time.Millisecond} {
		for _, n := range []int{1, 3, 6} {
			synctest.Test(t, func(t *testing.T) {
				s := newSim(t, 1, n)
				s.slow = slow
				s.while(func() { s.watch(time.Minute) })
				if share := float64(s.synced) / float64(s.samples); share < .95 {
					t.Errorf("of a minute in which heartbeats take %s, %d servers were synchronized for %.0f %%, want all but the start", slow, n, 100*share)
				}
			})
		}
	}
}

// tolerance is how much servers may differ: a peer's answer may be that old.
const tolerance = queryTimeout

// sim is a log, a network and the servers on it.
type sim struct {
	t       *testing.T
	seed    uint64
	began   time.Time
	servers []*simServer
	sent    sync.WaitGroup // messages on their way

	slow    time.Duration // how long a heartbeat takes to be written
	synced  int           // samples of synchronized servers
	samples int           // of so many
	begun   int           // outages in which the server that stayed up began an epoch

	mu     sync.Mutex // guards the rest
	random *rand.Rand
	last   live.Heartbeat
	busy   bool          // a heartbeat is being written
	back   chan struct{} // closed and replaced when a server returns
	seen   []string      // the last states, for a failure
	line   string
	worst  time.Duration // the most that a service time was ever behind real time
	before time.Duration // the same, before the last outage
}

// simServer is a server, and its view of the log and its peers.
type simServer struct {
	sim   *sim
	clock *Clock

	observe func(live.ClockReading) // guarded by sim.mu, as all below
	answer  func() (live.ClockReading, bool)
	cutOff  bool // from the log and all peers
	frozen  bool // the process is suspended
}

func newSim(t *testing.T, seed uint64, n int) *sim {
	t.Helper()
	s := &sim{t: t, seed: seed, began: time.Now(), random: rand.New(rand.NewPCG(seed, 1)), back: make(chan struct{})}
	hold := time.Duration(seed%3) * time.Second
	for i := range n {
		p := &simServer{sim: s}
		p.clock = New(Config{Hold: hold, Shared: true, Name: fmt.Sprint(i), Peers: p}, live.Heartbeat{}, time.Now())
		s.servers = append(s.servers, p)
	}
	return s
}

// run alternates calm times and outages.
func (s *sim) run() {
	s.while(func() {
		for range 6 {
			s.watch(6 * time.Second)
			s.checkSynced()
			s.outage()
		}
		s.watch(6 * time.Second)
		s.checkSynced()
	})
}

// while runs the servers during f.
func (s *sim) while(f func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	var all sync.WaitGroup
	defer s.sent.Wait()
	defer all.Wait()
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	for _, p := range s.servers {
		all.Go(func() { p.clock.Run(ctx, p, p.now, quiet) })
		all.Go(func() { p.clock.Exchange(ctx, p.now, quiet) })
		s.watch(s.randomPart(time.Second))
	}
	f()
}

// outage cuts some servers off from the log and each other, or freezes their processes,
// and then brings them back one by one.
func (s *sim) outage() {
	took, all, frozen := 500*time.Millisecond+s.randomPart(8*time.Second), s.randomPart(3) == 0, s.randomPart(3) == 0
	s.mu.Lock()
	s.before = s.worst
	survivor := false
	for _, p := range s.servers {
		if all || s.random.IntN(2) == 0 {
			p.frozen, p.cutOff = frozen, !frozen
		} else {
			survivor = true
		}
	}
	s.mu.Unlock()
	s.watch(took)
	for _, p := range s.servers {
		s.mu.Lock()
		if p.cutOff || p.frozen {
			p.cutOff, p.frozen = false, false
			close(s.back)
			s.back = make(chan struct{})
		}
		s.mu.Unlock()
		s.watch(s.randomPart(time.Second))
	}
	s.watch(6 * time.Second)
	credit, hold := s.worst-s.before, s.servers[0].clock.config.Hold
	switch {
	case !survivor && took > leaseTime+HeartbeatInterval && credit < took+hold-tolerance:
		s.fail("an outage of all servers of %s with a hold of %s credited %s", took, hold, credit)
	case survivor && credit > leaseTime+HeartbeatInterval+hold+tolerance:
		s.fail("one server stayed up, yet %s were credited", credit)
	case survivor && credit > tolerance:
		// Peers that wrote a heartbeat and froze before they shared its lease leave the server without one, until
		// nobody can have a lease.
		s.begun++
	}
}

// watch samples the servers for some time.
func (s *sim) watch(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		now, at, wrong := time.Now(), s.worst, ""
		s.note(now)
		for i, p := range s.servers {
			if p.frozen {
				continue
			}
			s.samples++
			if !p.clock.Synced(now) {
				continue
			}
			s.synced++
			behind := now.Sub(s.began) - time.Duration(p.clock.Now(now))*time.Millisecond
			if behind < s.worst-tolerance {
				wrong = fmt.Sprintf("server %d is %s behind, and one was %s: the next player pays the difference", i, behind, s.worst)
			}
			at = max(at, behind)
		}
		s.worst = at
		s.mu.Unlock()
		if wrong != "" {
			s.fail("%s", wrong)
		}
	}
}

// checkSynced checks that all servers are synchronized.
func (s *sim) checkSynced() {
	for i, p := range s.servers {
		if !p.clock.Synced(time.Now()) {
			s.fail("server %d is not synchronized after six calm seconds", i)
		}
	}
}

func (s *sim) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("seed %d, after %s: %s; the last states:\n%s", s.seed, time.Since(s.began), fmt.Sprintf(format, args...), strings.Join(s.seen, "\n"))
}

// note keeps the state of all servers if it is new. The caller holds mu.
func (s *sim) note(now time.Time) {
	line := fmt.Sprintf("the last heartbeat is of epoch %d", s.last.Epoch)
	for _, p := range s.servers {
		r, synced := p.clock.reading(now)
		switch behind := now.Sub(s.began) - time.Duration(r.Service)*time.Millisecond; {
		case p.frozen:
			line += ", frozen"
		case p.cutOff && !synced:
			line += ", cut off"
		case !synced:
			line += ", back"
		case r.Hold > 0:
			line += fmt.Sprintf(", holding in epoch %d (cut off %t)", r.Epoch, p.cutOff)
		default:
			line += fmt.Sprintf(", %s behind in epoch %d (cut off %t)", behind.Round(50*time.Millisecond), r.Epoch, p.cutOff)
		}
	}
	if line != s.line {
		s.line, s.seen = line, append(s.seen[max(0, len(s.seen)-40):], fmt.Sprintf("%s: %s", now.Sub(s.began), line))
	}
}

// randomPart returns a random part of a duration.
func (s *sim) randomPart(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.random.Int64N(int64(d)))
}

var errCutOff = errors.New("cut off")

// now waits while the process is frozen.
func (p *simServer) now() time.Time {
	for {
		p.sim.mu.Lock()
		frozen, back := p.frozen, p.sim.back
		p.sim.mu.Unlock()
		if !frozen {
			return time.Now()
		}
		<-back
	}
}

// transmit waits as long as a message travels. A message of a server that is cut off is
// lost, or arrives late, when the server is back and no longer waits for the answer.
func (p *simServer) transmit(ctx context.Context) (late bool, err error) {
	time.Sleep(p.sim.randomPart(8 * time.Millisecond))
	p.now()
	p.sim.mu.Lock()
	cutOff, back := p.cutOff, p.sim.back
	p.sim.mu.Unlock()
	if !cutOff {
		return false, nil
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	case <-back:
		if p.sim.randomPart(2) == 0 {
			return true, errCutOff
		}
	}
	return false, errCutOff
}

// LastHeartbeat implements Log.
func (p *simServer) LastHeartbeat(ctx context.Context) (live.Heartbeat, error) {
	if _, err := p.transmit(ctx); err != nil {
		return live.Heartbeat{}, err
	}
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	return p.sim.last, nil
}

// WriteHeartbeat implements Log.
func (p *simServer) WriteHeartbeat(ctx context.Context, after uint64, h live.Heartbeat) (uint64, error) {
	late, err := p.transmit(ctx)
	if err != nil && !late {
		return 0, err
	}
	if !p.sim.write(after, h) {
		return 0, live.ErrStale
	}
	if _, lost := p.transmit(ctx); lost != nil {
		err = lost
	}
	return after + 1, err
}

// write writes a heartbeat after another, and reports whether it could. Others fail
// during the write.
func (s *sim) write(after uint64, h live.Heartbeat) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after != s.last.Seq || s.busy {
		return false
	}
	s.busy = true
	s.mu.Unlock()
	time.Sleep(s.slow)
	s.mu.Lock()
	s.busy = false
	s.last = h
	s.last.Seq = after + 1
	return true
}

// Announce implements Peers.
func (p *simServer) Announce(r live.ClockReading) error {
	for _, q := range p.others() {
		p.sim.sent.Go(func() {
			if p.reaches(q) {
				q.observe(r)
			}
		})
	}
	return nil
}

// Query implements Peers.
func (p *simServer) Query(ctx context.Context) (live.ClockReading, error) {
	answers := make(chan live.ClockReading, len(p.sim.servers))
	for _, q := range p.others() {
		p.sim.sent.Go(func() {
			if !p.reaches(q) {
				return
			}
			if r, ok := q.answer(); ok && q.reaches(p) {
				answers <- r
			}
		})
	}
	select {
	case <-ctx.Done():
		return live.ClockReading{}, ctx.Err()
	case r := <-answers:
		return r, nil
	}
}

// Subscribe implements Peers.
func (p *simServer) Subscribe(observe func(live.ClockReading), answer func() (live.ClockReading, bool)) (stop func(), err error) {
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	p.observe, p.answer = observe, answer
	return func() {}, nil
}

func (p *simServer) others() (list []*simServer) {
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	for _, q := range p.sim.servers {
		if q != p && q.observe != nil {
			list = append(list, q)
		}
	}
	return list
}

// reaches waits until a message to another server arrives, and reports whether it does.
func (p *simServer) reaches(q *simServer) bool {
	for _, at := range []*simServer{p, q} {
		if late, err := at.transmit(context.Background()); err != nil && !late {
			return false
		}
	}
	return true
}
