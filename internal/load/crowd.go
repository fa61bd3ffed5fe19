package load

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// crowd is players, each with a game, who play at a pace until they are told to
// rest.
type crowd struct {
	urls   []string
	client *http.Client
	pace   time.Duration // between two moves of a player

	players []*player
	rivals  atomic.Int64 // moves that had one
	all     sync.WaitGroup

	going sync.RWMutex // held for reading while a move is played, and for writing while all rest

	mu      sync.Mutex // guards the rest
	last    time.Time  // of the last acknowledgement of all
	outages []outage
	games   map[string]ended
	lost, wrong, twice,
	differ, refused, failed, slow []string
}

// outage is a time in which nothing was acknowledged.
type outage struct{ from, to time.Time }

// ended is a game that is over, with what was acknowledged of it.
type ended struct {
	moves    []string
	follower *follower
	turns    []turn
}

// silence is how long nothing may be acknowledged until it is an outage.
const silence = time.Second

func newCrowd(urls []string, c NodesConfig) *crowd {
	k := &crowd{urls: urls, client: newClient(4 * c.Games), pace: time.Duration(float64(c.Games) / c.Rate * float64(time.Second)), games: map[string]ended{}}
	for i := range c.Games {
		k.players = append(k.players, newPlayer(k, i, rand.New(rand.NewPCG(c.Seed, uint64(i)+7))))
	}
	return k
}

// start lets everybody play until the context ends.
func (c *crowd) start(ctx context.Context) error {
	for _, p := range c.players {
		if err := p.open(ctx); err != nil {
			return err
		}
	}
	for _, p := range c.players {
		c.all.Go(func() { c.play(ctx, p) })
	}
	return nil
}

func (c *crowd) play(ctx context.Context, p *player) {
	time.Sleep(time.Duration(p.random.Int64N(int64(c.pace) + 1)))
	for ctx.Err() == nil {
		if err := c.turn(ctx, p); err != nil && ctx.Err() == nil {
			c.note(&c.failed, err.Error())
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(c.pace):
		}
	}
}

// turn plays one move, or begins another game.
func (c *crowd) turn(ctx context.Context, p *player) error {
	c.going.RLock()
	defer c.going.RUnlock()
	if !p.over {
		return p.move(ctx)
	}
	c.mu.Lock()
	c.games[p.id] = ended{p.acknowledged, p.follower, p.turns}
	c.mu.Unlock()
	return p.open(ctx)
}

// rest lets everybody rest while a function is called.
func (c *crowd) rest(f func() error) error {
	c.going.Lock()
	defer c.going.Unlock()
	err := f()
	c.mu.Lock()
	c.last = time.Time{}
	c.mu.Unlock()
	for _, p := range c.players {
		p.rest()
	}
	return err
}

// note keeps what was found; the first hundred of a kind.
func (c *crowd) note(list *[]string, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*list) < 100 {
		*list = append(*list, text)
	}
}

// heard notes when a move was acknowledged.
func (c *crowd) heard(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.last.IsZero() && now.Sub(c.last) > silence {
		c.outages = append(c.outages, outage{c.last, now})
	}
	c.last = later(c.last, now)
}

// out returns how much of a time nothing was acknowledged.
func (c *crowd) out(from, to time.Time) (sum time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range c.outages {
		a, b := later(o.from, from), o.to
		if b.After(to) {
			b = to
		}
		sum += max(b.Sub(a), 0)
	}
	return sum
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// mark begins to measure what a fault does.
func (c *crowd) mark(t time.Time) {
	for _, p := range c.players {
		p.mark(t)
	}
}

// back waits until every player has had a move taken that was begun after the mark.
func (c *crowd) back(ctx context.Context, within time.Duration) {
	until(ctx, within, func() bool {
		_, _, ok := c.since()
		return ok
	})
}

// since returns how long after the mark that was, not ok if it has not been, and
// the longest time between two moves of one player.
func (c *crowd) since() (back, gap time.Duration, ok bool) {
	for _, p := range c.players {
		b, g, is := p.since()
		if !is {
			return 0, 0, false
		}
		back, gap = max(back, b), max(gap, g)
	}
	return back, gap, true
}

func (c *crowd) moves() (n int64) {
	for _, p := range c.players {
		n += p.run.moves.Load()
	}
	return n
}
