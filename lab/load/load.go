// Package load plays many games on a server at once and measures what players
// notice: how long a move takes until it is acknowledged, and until the opponent
// sees it.
//
// The load is open-loop: moves are due at fixed times, and latency counts from
// then, so that a server that stalls does not look better by being asked less.
package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Config describes a load.
type Config struct {
	URL      string
	Games    int           // played at once
	Sockets  int           // in total: two players a game, the rest are spectators
	Rate     float64       // moves a second
	Duration time.Duration // of the measurement, after all games are open
	Engines  int           // games between engines, which keep the engine workers busy
	Players  int           // of an arena, which opens the games, if not 0
	Pages    float64       // the share of the spectators of an arena who follow its page; the others watch games
	Seed     uint64

	Report func(line string) // reports progress
}

// Result is what a load measured.
type Result struct {
	Games, Sockets int
	Moves          int64         // acknowledged
	Errors         int64         // moves refused or unanswered
	Late           int64         // moves not sent when due, because no game was idle
	Seconds        float64       // of the measurement
	Acknowledged   Spread        // from when a move was due until it was acknowledged
	Seen           Spread        // from when a move was due until the opponent received it
	Idle           Spread        // in an arena, from the end of a game until the player learns of the next one
	Age            Spread        // of the standings of an arena when others replace them on a page: since they were outdated
	Memory         uint64        // highest resident memory of the server, in bytes
	Setup          time.Duration // to open the games and sockets
	Faults         []string      // the first few errors
}

// Rate returns the moves a second.
func (r Result) Rate() float64 { return float64(r.Moves) / r.Seconds }

// run is a load in progress.
type run struct {
	config Config
	client *Client
	idle   chan *table
	random *rand.Rand // of the goroutine that sets up

	moves, errors, late atomic.Int64
	measuring           atomic.Bool
	ack, seen, idling   Recorder

	mu     sync.Mutex // guards faults
	faults []string
	all    sync.WaitGroup
}

// Run applies the load for its duration, or until the context ends.
func Run(ctx context.Context, c Config) (result Result, err error) {
	if c.Players > 0 {
		c.Games = c.Players / 2
	}
	if c.Games < 1 || c.Rate <= 0 || c.Sockets < 2*c.Games {
		return Result{}, fmt.Errorf("%d games with %d sockets at %g moves a second: expected at least 1 game, 2 sockets a game and a positive rate", c.Games, c.Sockets, c.Rate)
	}
	r := newRun(c)
	ctx, cancel := context.WithCancel(ctx)
	defer r.all.Wait()
	defer cancel()
	setUp, drive := r.setUp, r.drive
	a := &arena{run: r, noticed: map[int]time.Time{}}
	if c.Players > 0 {
		setUp, drive = a.open, a.wait
	}
	began := time.Now()
	if err := setUp(ctx); err != nil {
		return Result{}, fmt.Errorf("setting up the load: %w", err)
	}
	setup := time.Since(began)
	c.Report(fmt.Sprintf("%d games and %d sockets after %.1f s", c.Games, c.Sockets, setup.Seconds()))
	memory := r.watchMemory(ctx)
	r.measuring.Store(true)
	began = time.Now()
	drive(ctx)
	r.measuring.Store(false)
	result = Result{
		Games: c.Games, Sockets: c.Sockets, Moves: r.moves.Load(), Errors: r.errors.Load(), Late: r.late.Load(), Seconds: time.Since(began).Seconds(),
		Acknowledged: r.ack.Spread(), Seen: r.seen.Spread(), Idle: r.idling.Spread(), Age: SpreadOf(a.ages()), Setup: setup, Memory: memory(),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	result.Faults = r.faults
	return result, nil
}

func newRun(c Config) *run {
	return &run{config: c, client: NewClient(max(c.Games, c.Sockets), requestTimeout), idle: make(chan *table, c.Games), random: rand.New(rand.NewPCG(c.Seed, 1))}
}

// requestTimeout is when a request to the server is given up.
const requestTimeout = 30 * time.Second

// setUp opens the games, a few at a time.
func (r *run) setUp(ctx context.Context) error {
	const atOnce = 16
	for range r.config.Engines {
		if err := r.openEngines(ctx); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	errs := make([]error, r.config.Games)
	slots := make(chan struct{}, atOnce)
	for i := range r.config.Games {
		sockets := r.config.Sockets*(i+1)/r.config.Games - r.config.Sockets*i/r.config.Games
		t := &table{run: r, number: i, sockets: sockets, random: rand.New(rand.NewPCG(r.config.Seed, uint64(i)+2))}
		slots <- struct{}{}
		all.Go(func() {
			errs[i] = t.open(ctx)
			<-slots
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// drive makes an idle game move whenever a move is due, until the duration is over.
func (r *run) drive(ctx context.Context) {
	began := time.Now()
	last := began
	for n := 0; ; n++ {
		due := began.Add(time.Duration(float64(n) / r.config.Rate * float64(time.Second)))
		if due.Sub(began) >= r.config.Duration {
			break
		}
		if wait := time.Until(due); wait > 0 {
			time.Sleep(wait)
		}
		if ctx.Err() != nil {
			break
		}
		select {
		case t := <-r.idle:
			r.all.Go(func() { t.move(ctx, due) })
		default:
			r.late.Add(1)
		}
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			r.report(began)
		}
	}
	time.Sleep(time.Second) // for the last answers
}

// report reports what was measured since began.
func (r *run) report(began time.Time) {
	r.config.Report(fmt.Sprintf("%4.0f s: %d moves, %d errors, %d late; acknowledged %s; seen %s",
		time.Since(began).Seconds(), r.moves.Load(), r.errors.Load(), r.late.Load(), r.ack.Spread(), r.seen.Spread()))
}

// fault counts an error and keeps the first ten.
func (r *run) fault(err error) {
	r.errors.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.faults) < 10 {
		r.faults = append(r.faults, err.Error())
	}
}
