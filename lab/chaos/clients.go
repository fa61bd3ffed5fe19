package chaos

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// clients are players, each with a game, and what they noticed.
type clients struct {
	urls   []string
	client *load.Client
	pace   time.Duration // between two moves of a player

	players []*player
	moves   atomic.Int64 // acknowledged
	rivals  atomic.Int64 // moves that had a rival
	all     sync.WaitGroup

	playing sync.RWMutex // read-locked while a move is played, locked while all are paused

	mu       sync.Mutex // guards the rest
	last     time.Time  // of the last acknowledgement of all
	outages  []outage
	finished map[string]finishedGame // by id
	Findings
}

// outage is a time in which nothing was acknowledged.
type outage struct{ from, to time.Time }

// finishedGame is a game that is over, and what was acknowledged of it.
type finishedGame struct {
	moves     []string
	spectator *spectator
	turns     []turn
}

// outageThreshold is how long nothing is acknowledged, while a move waits for it, before that counts as an outage.
const outageThreshold = time.Second

func newClients(urls []string, config Config) *clients {
	c := &clients{
		urls: urls, client: load.NewClient(4*config.Games, 30*time.Second), finished: map[string]finishedGame{},
		pace: time.Duration(float64(config.Games) / config.Rate * float64(time.Second)),
	}
	for i := range config.Games {
		c.players = append(c.players, newPlayer(c, i, rand.New(rand.NewPCG(config.Seed, uint64(i)+7))))
	}
	return c
}

// start opens a game for each player and lets them play until the context ends.
func (c *clients) start(ctx context.Context) error {
	for _, p := range c.players {
		if err := p.openAnywhere(ctx); err != nil {
			return err
		}
	}
	for _, p := range c.players {
		c.all.Go(func() { c.play(ctx, p) })
	}
	return nil
}

func (c *clients) play(ctx context.Context, p *player) {
	time.Sleep(time.Duration(p.random.Int64N(int64(c.pace) + 1)))
	for ctx.Err() == nil {
		if err := c.turn(ctx, p); err != nil && ctx.Err() == nil {
			c.report(&c.Failed, err.Error())
			return
		}
		clock.Sleep(ctx, c.pace)
	}
}

// turn plays one move, or opens the next game.
func (c *clients) turn(ctx context.Context, p *player) error {
	c.playing.RLock()
	defer c.playing.RUnlock()
	if !p.over {
		return p.move(ctx)
	}
	c.mu.Lock()
	c.finished[p.ID] = finishedGame{p.acknowledged, p.spectator, p.turns}
	c.mu.Unlock()
	return p.openAnywhere(ctx)
}

// pausedDuring calls a function while all players are paused.
func (c *clients) pausedDuring(f func() error) error {
	c.playing.Lock()
	defer c.playing.Unlock()
	err := f()
	c.mu.Lock()
	c.last = time.Time{}
	c.mu.Unlock()
	for _, p := range c.players {
		p.paused()
	}
	return err
}

// report adds a finding to a list, up to a hundred.
func (c *clients) report(list *[]string, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*list) < 100 {
		*list = append(*list, text)
	}
}

// countAck records the time of an acknowledgement of a move that was sent, and the outage that it ends.
func (c *clients) countAck(sent, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if from := later(c.last, sent); !c.last.IsZero() && now.Sub(from) > outageThreshold {
		c.outages = append(c.outages, outage{from, now})
	}
	c.last = later(c.last, now)
}

// outageBetween returns how much of a time was an outage.
func (c *clients) outageBetween(from, to time.Time) (sum time.Duration) {
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

// markFault starts the measurement of a fault.
func (c *clients) markFault(t time.Time) {
	for _, p := range c.players {
		p.markFault(t)
	}
}

// awaitRecovery waits until every player has had a move acknowledged that was sent
// after the fault.
func (c *clients) awaitRecovery(ctx context.Context, within time.Duration) {
	poll(ctx, within, func() bool {
		_, _, ok := c.recovery()
		return ok
	})
}

// recovery returns how long that took, not ok if some players still wait, and the
// longest time between two moves of one player.
func (c *clients) recovery() (back, gap time.Duration, ok bool) {
	for _, p := range c.players {
		b, g, recovered := p.recovery()
		if !recovered {
			return 0, 0, false
		}
		back, gap = max(back, b), max(gap, g)
	}
	return back, gap, true
}
