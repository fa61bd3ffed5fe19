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
		synctest.Test(t, func(t *testing.T) { newSea(t, seed).sail() })
	}
}

// jumpsBy is by how much servers may differ: a tell is on its way that long.
const jumpsBy = 100 * time.Millisecond

// A sea is what servers and the log are on.
type sea struct {
	t     *testing.T
	seed  uint64
	began time.Time
	ships []*ship
	sent  sync.WaitGroup // what is on its way

	mu     sync.Mutex // guards the rest
	random *rand.Rand
	beat   live.Beat
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

	told   func(live.Beat, time.Duration) // guarded by the sea's mu, and all below
	answer func() (live.Beat, time.Duration, bool)
	away   bool // out of reach
}

func newSea(t *testing.T, seed uint64) *sea {
	t.Helper()
	s := &sea{t: t, seed: seed, began: time.Now(), random: rand.New(rand.NewPCG(seed, 1)), back: make(chan struct{})}
	stand := time.Duration(seed%3) * time.Second
	for range 3 {
		p := &ship{Memory: live.NewMemory(), sea: s, meter: newMeter(live.Beat{}, time.Now(), stand)}
		p.meter.shared, p.meter.stand, p.meter.peers = true, stand, p
		p.meter.leave()
		s.ships = append(s.ships, p)
	}
	return s
}

// sail lets things happen for a while.
func (s *sea) sail() {
	ctx, cancel := context.WithCancel(s.t.Context())
	var all sync.WaitGroup
	defer s.sent.Wait()
	defer all.Wait()
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	for _, p := range s.ships {
		all.Go(func() { p.meter.run(ctx, p, time.Now, quiet) })
		all.Go(func() { p.meter.exchange(ctx, time.Now, quiet) })
		s.look(s.some(time.Second))
	}
	for range 6 {
		s.look(6 * time.Second)
		s.settled()
		s.storm()
	}
	s.look(6 * time.Second)
	s.settled()
}

// storm takes some servers out of reach of the log and of each other, and then brings
// them back, one after the other.
func (s *sea) storm() {
	took, all := 500*time.Millisecond+s.some(8*time.Second), s.some(3) == 0
	s.mu.Lock()
	s.before = s.worst
	for _, p := range s.ships {
		p.away = all || s.random.IntN(2) == 0
	}
	s.mu.Unlock()
	s.look(took)
	for _, p := range s.ships {
		s.mu.Lock()
		if p.away {
			p.away = false
			close(s.back)
			s.back = make(chan struct{})
		}
		s.mu.Unlock()
		s.look(s.some(time.Second))
	}
	if all && took > sureFor+beatEvery {
		s.look(6 * time.Second)
		if credit := s.worst - s.before; credit < took-jumpsBy {
			s.fail("an outage of all of %s: %s are credited", took, credit)
		}
	}
}

// look looks at the servers for some time.
func (s *sea) look(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		now, at, wrong := time.Now(), s.worst, ""
		s.note(now)
		for i, p := range s.ships {
			if !p.meter.sure(now) {
				continue
			}
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
		b, stand, sure := p.meter.tells(now)
		switch behind := now.Sub(s.began) - time.Duration(b.Service)*time.Millisecond; {
		case p.away && !sure:
			line += ", away"
		case !sure:
			line += ", back"
		default:
			line += fmt.Sprintf(", %s behind in epoch %d (away %t, standing %t)", behind.Round(50*time.Millisecond), b.Epoch, p.away, stand > 0)
		}
	}
	if line != s.line {
		s.line, s.seen = line, append(s.seen[max(0, len(s.seen)-20):], fmt.Sprintf("%s: %s", now.Sub(s.began), line))
	}
}

// some returns a random part of a duration.
func (s *sea) some(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.random.Int64N(int64(d)))
}

var errAway = errors.New("out of reach")

// sails waits as long as a message is on its way. What is sent while somebody is out of
// reach is lost, or comes when it is not any more, though nobody waits for it.
func (p *ship) sails(ctx context.Context) (late bool, err error) {
	time.Sleep(p.sea.some(8 * time.Millisecond))
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
	if _, err := p.sails(ctx); err != nil {
		return live.Beat{}, err
	}
	p.sea.mu.Lock()
	defer p.sea.mu.Unlock()
	return p.sea.beat, nil
}

// Beat implements live.Log.
func (p *ship) Beat(ctx context.Context, after uint64, b live.Beat) (uint64, error) {
	late, err := p.sails(ctx)
	if err != nil && !late {
		return 0, err
	}
	p.sea.mu.Lock()
	if after != p.sea.beat.Seq {
		p.sea.mu.Unlock()
		return 0, live.ErrStale
	}
	p.sea.beat = b
	p.sea.beat.Seq = after + 1
	p.sea.mu.Unlock()
	if _, lost := p.sails(ctx); lost != nil {
		err = lost
	}
	return after + 1, err
}

// Tell implements Peers.
func (p *ship) Tell(b live.Beat, stand time.Duration) error {
	for _, q := range p.others() {
		p.sea.sent.Go(func() {
			if p.passes(q) {
				q.told(b, stand)
			}
		})
	}
	return nil
}

// Ask implements Peers.
func (p *ship) Ask(ctx context.Context) (b live.Beat, stand time.Duration, err error) {
	answers := make(chan func(), 2)
	for _, q := range p.others() {
		p.sea.sent.Go(func() {
			if !p.passes(q) {
				return
			}
			if c, still, ok := q.answer(); ok && q.passes(p) {
				answers <- func() { b, stand = c, still }
			}
		})
	}
	select {
	case <-ctx.Done():
		return b, 0, ctx.Err()
	case set := <-answers:
		set()
		return b, stand, nil
	}
}

// Hear implements Peers.
func (p *ship) Hear(told func(live.Beat, time.Duration), answer func() (live.Beat, time.Duration, bool)) (stop func(), err error) {
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
		if late, err := at.sails(context.Background()); err != nil && !late {
			return false
		}
	}
	return true
}
