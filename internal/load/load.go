// Package load plays many games on a server at a time, and measures what its
// players notice: how long a move takes until it is acknowledged and until the
// opponent sees it, and whether anything that was acknowledged is ever lost.
//
// Run is the load; Kill starts a server of its own, ends it by force under load
// again and again, and looks at every game after each time. Moves are due at fixed
// times, and what they take is counted from then: a server that stalls does not
// make itself look better by being asked less.
package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Config is a load.
type Config struct {
	URL      string
	Games    int           // played at a time
	Sockets  int           // in all: two for the players of each game, and spectators
	Rate     float64       // moves a second
	Duration time.Duration // of the measurement, when all games are there
	Engines  int           // games of engines beside them, which keep the engines busy
	Stalled  int           // readers that stall, now and then
	Seed     uint64

	Report func(line string) // told how it goes; nil for nobody
}

// Result is what a load has shown.
type Result struct {
	Games, Sockets int
	Moves          int64         // that were acknowledged
	Errors         int64         // moves that were refused or not answered
	Late           int64         // moves that were not even sent when they were due, because no game was free
	Seconds        float64       // of the measurement
	Acknowledged   Spread        // from when a move was due until it was acknowledged
	Seen           Spread        // until the opponent's socket had it
	Memory         uint64        // the most resident memory that the server told of, in bytes
	Setup          time.Duration // how long it took to open the games and the sockets
	Faults         []string      // the first few errors
	Stall          *Stall        // nil without readers that stall
}

// Rate returns the moves a second.
func (r Result) Rate() float64 { return float64(r.Moves) / r.Seconds }

// run is a load that is going on.
type run struct {
	config Config
	client *http.Client
	idle   chan *table
	random *rand.Rand // of the goroutine that begins

	moves, errors, late atomic.Int64
	measuring           atomic.Bool
	ack, seen           spreads

	mu     sync.Mutex // guards faults
	faults []string
	all    sync.WaitGroup
}

// Run plays until the duration is over or the context ends.
func Run(ctx context.Context, c Config) (result Result, err error) {
	if c.Games < 1 || c.Rate <= 0 || c.Sockets < 2*c.Games {
		return Result{}, fmt.Errorf("%d games with %d sockets at %g moves a second: want 1 game or more, two sockets for each, and moves", c.Games, c.Sockets, c.Rate)
	}
	if c.Report == nil {
		c.Report = func(string) {}
	}
	r := &run{config: c, client: newClient(c.Games), idle: make(chan *table, c.Games), random: rand.New(rand.NewPCG(c.Seed, 1))}
	ctx, cancel := context.WithCancel(ctx)
	defer r.all.Wait()
	defer cancel()
	began := time.Now()
	if err := r.setUp(ctx); err != nil {
		return Result{}, fmt.Errorf("setting up the load: %w", err)
	}
	setup := time.Since(began)
	c.Report(fmt.Sprintf("%d games and %d sockets after %.1f s", c.Games, c.Sockets, setup.Seconds()))
	memory := r.watchMemory(ctx)
	r.measuring.Store(true)
	began = time.Now()
	stall := r.beside(ctx)
	r.drive(ctx)
	r.measuring.Store(false)
	result = Result{
		Games: c.Games, Sockets: c.Sockets, Moves: r.moves.Load(), Errors: r.errors.Load(), Late: r.late.Load(), Seconds: time.Since(began).Seconds(),
		Acknowledged: r.ack.spread(), Seen: r.seen.spread(), Setup: setup, Memory: memory(),
	}
	if result.Stall, err = stall(); err != nil {
		return result, fmt.Errorf("measuring with readers that stall: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	result.Faults = r.faults
	return result, nil
}

func newClient(games int) *http.Client {
	return &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: games, MaxConnsPerHost: 0, IdleConnTimeout: time.Minute},
	}
}

// setUp opens the games, some at a time.
func (r *run) setUp(ctx context.Context) error {
	const atOnce = 16
	for range r.config.Engines {
		if err := r.openEngines(ctx); err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	failed := make(chan error, r.config.Games)
	room := make(chan struct{}, atOnce)
	for i := range r.config.Games {
		sockets := r.config.Sockets/r.config.Games + oneIf(i < r.config.Sockets%r.config.Games)
		t := &table{run: r, number: i, sockets: sockets, random: rand.New(rand.NewPCG(r.config.Seed, uint64(i)+2))}
		room <- struct{}{}
		all.Go(func() {
			failed <- t.open(ctx)
			<-room
		})
	}
	all.Wait()
	close(failed)
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// drive lets a free game move whenever a move is due.
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
			r.config.Report(fmt.Sprintf("%4.0f s: %d moves, %d errors, %d late; acknowledged %s; seen %s",
				time.Since(began).Seconds(), r.moves.Load(), r.errors.Load(), r.late.Load(), r.ack.spread(), r.seen.spread()))
		}
	}
	time.Sleep(time.Second) // for the answers to the last
}

// fault counts an error, and keeps the first few.
func (r *run) fault(err error) {
	r.errors.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.faults) < 10 {
		r.faults = append(r.faults, err.Error())
	}
}
