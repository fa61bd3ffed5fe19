package serve

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

// TestServersAgree lets three servers tell the service time while random things happen
// to the log and to the network, and looks every 10 ms at what those say that would
// decide something. Between any two looks, at any two of them, no more service time
// passes than time: nobody's clock jumps. And an outage of all is charged to nobody.
func TestServersAgree(t *testing.T) {
	for seed := range uint64(20) { // of 3,000, none fails
		synctest.Test(t, func(t *testing.T) { newSea(t, seed, 3).sail() })
	}
}

// TestServersAgreeOnSlowDisks wants servers to stay in step where each write of a beat
// takes long, and keeps all others from being written: one does for all.
func TestServersAgreeOnSlowDisks(t *testing.T) {
	for _, slow := range []time.Duration{0, 200 * time.Millisecond, 400 * time.Millisecond} {
		for _, n := range []int{1, 3, 6} {
			synctest.Test(t, func(t *testing.T) {
				s := newSea(t, 1, n)
				s.slow = slow
				s.sails(func() { s.look(time.Minute) })
				if share := float64(s.sure) / float64(s.looks); share < .95 {
					t.Errorf("of a minute in which beats take %s, %d servers were in step for %.0f %%, want all but the start", slow, n, 100*share)
				}
			})
		}
	}
}

// jumpsBy is by how much servers may differ: an answer may be that late.
const jumpsBy = askTime

// A sea is what servers and the log are on.
type sea struct {
	t     *testing.T
	seed  uint64
	began time.Time
	ships []*ship
	sent  sync.WaitGroup // what is on its way

	slow  time.Duration // how long a beat takes to be written
	sure  int           // how often a server was in step
	looks int           // of so many times that it was looked

	mu     sync.Mutex // guards the rest
	random *rand.Rand
	beat   live.Beat
	busy   bool          // a beat is being written
	back   chan struct{} // closed, and made anew, when somebody is within reach again
	seen   []string      // what there was to be seen at last
	line   string
	worst  time.Duration // the most that a time was ever behind
	before time.Duration // the same, when everybody was last within reach
}

// A ship is a server, and the log as it sees it.
type ship struct {
	*live.Memory
	sea   *sea
	meter *meter

	told   func(live.Told) // guarded by the sea's mu, and all below
	answer func() (live.Told, bool)
	away   bool // out of reach
	still  bool // the process stands still
}

func newSea(t *testing.T, seed uint64, n int) *sea {
	t.Helper()
	s := &sea{t: t, seed: seed, began: time.Now(), random: rand.New(rand.NewPCG(seed, 1)), back: make(chan struct{})}
	stand := time.Duration(seed%3) * time.Second
	for i := range n {
		p := &ship{Memory: live.NewMemory(), sea: s, meter: newMeter(live.Beat{}, time.Now(), stand)}
		p.meter.shared, p.meter.stand, p.meter.peers, p.meter.name, p.meter.out = true, stand, p, fmt.Sprint(i), true
		s.ships = append(s.ships, p)
	}
	return s
}

// sail lets things happen for a while.
func (s *sea) sail() {
	s.sails(func() {
		for range 6 {
			s.look(6 * time.Second)
			s.settled()
			s.storm()
		}
		s.look(6 * time.Second)
		s.settled()
	})
}

// sails lets servers run while something happens.
func (s *sea) sails(happens func()) {
	ctx, cancel := context.WithCancel(s.t.Context())
	var all sync.WaitGroup
	defer s.sent.Wait()
	defer all.Wait()
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	for _, p := range s.ships {
		all.Go(func() { p.meter.run(ctx, p, p.now, quiet) })
		all.Go(func() { p.meter.exchange(ctx, p.now, quiet) })
		s.look(s.some(time.Second))
	}
	happens()
}

// storm takes some servers out of reach of the log and of each other, or lets their
// processes stand still, and then brings them back, one after the other.
func (s *sea) storm() {
	took, all, still := 500*time.Millisecond+s.some(8*time.Second), s.some(3) == 0, s.some(3) == 0
	s.mu.Lock()
	s.before = s.worst
	some := false
	for _, p := range s.ships {
		if all || s.random.IntN(2) == 0 {
			p.still, p.away = still, !still
		} else {
			some = true
		}
	}
	s.mu.Unlock()
	s.look(took)
	for _, p := range s.ships {
		s.mu.Lock()
		if p.away || p.still {
			p.away, p.still = false, false
			close(s.back)
			s.back = make(chan struct{})
		}
		s.mu.Unlock()
		s.look(s.some(time.Second))
	}
	s.look(6 * time.Second)
	credit, stand := s.worst-s.before, s.ships[0].meter.stand
	switch {
	case !some && took > sureFor+beatEvery && credit < took+stand-jumpsBy:
		s.fail("an outage of all of %s, after which clocks stand for %s: %s are credited", took, stand, credit)
	case some && credit > jumpsBy:
		s.fail("one server went on, and %s are credited", credit)
	}
}

// look looks at the servers for some time.
func (s *sea) look(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		now, at, wrong := time.Now(), s.worst, ""
		s.note(now)
		for i, p := range s.ships {
			if p.still {
				continue
			}
			s.looks++
			if !p.meter.sure(now) {
				continue
			}
			s.sure++
			behind := now.Sub(s.began) - time.Duration(p.meter.now(now))*time.Millisecond
			if behind < s.worst-jumpsBy {
				wrong = fmt.Sprintf("server %d is %s behind, and one was %s: who moves now pays the difference", i, behind, s.worst)
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

// settled wants all servers to be in step.
func (s *sea) settled() {
	for i, p := range s.ships {
		if !p.meter.sure(time.Now()) {
			s.fail("server %d is not in step, though nothing has happened for six seconds", i)
		}
	}
}

func (s *sea) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("seed %d, after %s: %s; the last that was seen:\n%s", s.seed, time.Since(s.began), fmt.Sprintf(format, args...), strings.Join(s.seen, "\n"))
}

// note keeps what there is to be seen, if it is new. The caller holds mu.
func (s *sea) note(now time.Time) {
	line := fmt.Sprintf("the last beat is of epoch %d", s.beat.Epoch)
	for _, p := range s.ships {
		b, sure := p.meter.tells(now)
		switch behind := now.Sub(s.began) - time.Duration(b.Service)*time.Millisecond; {
		case p.still:
			line += ", still"
		case p.away && !sure:
			line += ", away"
		case !sure:
			line += ", back"
		case b.Stand > 0:
			line += fmt.Sprintf(", standing in epoch %d (away %t)", b.Epoch, p.away)
		default:
			line += fmt.Sprintf(", %s behind in epoch %d (away %t)", behind.Round(50*time.Millisecond), b.Epoch, p.away)
		}
	}
	if line != s.line {
		s.line, s.seen = line, append(s.seen[max(0, len(s.seen)-40):], fmt.Sprintf("%s: %s", now.Sub(s.began), line))
	}
}

// some returns a random part of a duration.
func (s *sea) some(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.random.Int64N(int64(d)))
}

var errAway = errors.New("out of reach")

// now waits while the process stands still.
func (p *ship) now() time.Time {
	for {
		p.sea.mu.Lock()
		still, back := p.still, p.sea.back
		p.sea.mu.Unlock()
		if !still {
			return time.Now()
		}
		<-back
	}
}

// comes waits as long as a message is on its way. What is sent while somebody is out of
// reach is lost, or comes when it is not any more, though nobody waits for it.
func (p *ship) comes(ctx context.Context) (late bool, err error) {
	time.Sleep(p.sea.some(8 * time.Millisecond))
	p.now()
	p.sea.mu.Lock()
	away, back := p.away, p.sea.back
	p.sea.mu.Unlock()
	if !away {
		return false, nil
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	case <-back:
		if p.sea.some(2) == 0 {
			return true, errAway
		}
	}
	return false, errAway
}

// LastBeat implements live.Log.
func (p *ship) LastBeat(ctx context.Context) (live.Beat, error) {
	if _, err := p.comes(ctx); err != nil {
		return live.Beat{}, err
	}
	p.sea.mu.Lock()
	defer p.sea.mu.Unlock()
	return p.sea.beat, nil
}

// Beat implements live.Log.
func (p *ship) Beat(ctx context.Context, after uint64, b live.Beat) (uint64, error) {
	late, err := p.comes(ctx)
	if err != nil && !late {
		return 0, err
	}
	if !p.sea.write(after, b) {
		return 0, live.ErrStale
	}
	if _, lost := p.comes(ctx); lost != nil {
		err = lost
	}
	return after + 1, err
}

// write writes a beat behind another, and reports whether it could. It takes its time,
// in which no other is taken.
func (s *sea) write(after uint64, b live.Beat) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after != s.beat.Seq || s.busy {
		return false
	}
	s.busy = true
	s.mu.Unlock()
	time.Sleep(s.slow)
	s.mu.Lock()
	s.busy = false
	s.beat = b
	s.beat.Seq = after + 1
	return true
}

// Tell implements Peers.
func (p *ship) Tell(t live.Told) error {
	for _, q := range p.others() {
		p.sea.sent.Go(func() {
			if p.passes(q) {
				q.told(t)
			}
		})
	}
	return nil
}

// Ask implements Peers.
func (p *ship) Ask(ctx context.Context) (live.Told, error) {
	answers := make(chan live.Told, len(p.sea.ships))
	for _, q := range p.others() {
		p.sea.sent.Go(func() {
			if !p.passes(q) {
				return
			}
			if t, ok := q.answer(); ok && q.passes(p) {
				answers <- t
			}
		})
	}
	select {
	case <-ctx.Done():
		return live.Told{}, ctx.Err()
	case t := <-answers:
		return t, nil
	}
}

// Hear implements Peers.
func (p *ship) Hear(told func(live.Told), answer func() (live.Told, bool)) (stop func(), err error) {
	p.sea.mu.Lock()
	defer p.sea.mu.Unlock()
	p.told, p.answer = told, answer
	return func() {}, nil
}

func (p *ship) others() (list []*ship) {
	p.sea.mu.Lock()
	defer p.sea.mu.Unlock()
	for _, q := range p.sea.ships {
		if q != p && q.told != nil {
			list = append(list, q)
		}
	}
	return list
}

// passes waits until a message to another server is there, and reports whether it
// comes at all.
func (p *ship) passes(q *ship) bool {
	for _, at := range []*ship{p, q} {
		if late, err := at.comes(context.Background()); err != nil && !late {
			return false
		}
	}
	return true
}
