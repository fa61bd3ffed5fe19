package wire

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
)

// Think chooses a move.
type Think func(ctx context.Context, r farm.ThinkRequest) (move string, err error)

// Analyze analyzes a position until the context ends or there is nothing more to find. It
// reports each deeper result, and returns why it has ended.
type Analyze func(ctx context.Context, r farm.AnalysisRequest, report func(farm.AnalysisResult)) (reason string, err error)

// Live is what a worker does for servers of live games.
type Live struct {
	Moves    int // moves and analyses at a time
	Analyses int // of them, analyses at a time
	Think    Think
	Analyze  Analyze // not needed without Analyses
}

// liveWorker is a worker that serves live games.
type liveWorker struct {
	Live

	name     string        // in the subject of leases
	free     chan struct{} // a token for each move or analysis at a time
	analyses chan struct{} // a token for each analysis at a time
	ctx      context.Context
	all      sync.WaitGroup

	mu     sync.Mutex // guards leases
	leases map[string]*lease
}

// ServeLive answers requests of servers until the caller calls end, which waits for the work
// in progress.
func (c *Conn) ServeLive(ctx context.Context, l Live) (end func(), err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &liveWorker{
		Live: l, name: rand.Text(), free: make(chan struct{}, l.Moves), analyses: make(chan struct{}, l.Analyses),
		ctx: ctx, leases: map[string]*lease{},
	}
	subs, err := w.listen(c.nats)
	end = func() {
		for _, sub := range subs {
			_ = sub.Unsubscribe() // the connection may be closed
		}
		cancel(errStopping)
		w.all.Wait()
	}
	if err == nil {
		err = c.nats.Flush()
	}
	if err == nil {
		err = c.nats.LastError() // the server may not allow it
	}
	if err != nil {
		end()
		return nil, fmt.Errorf("listening to servers: %w: expected a key of role %s", err, RoleLive)
	}
	return end, nil
}

// errStopping tells servers that they have to look for another machine.
var errStopping = errors.New("the worker is stopping")

// listen subscribes to the requests.
func (w *liveWorker) listen(conn *nats.Conn) (subs []*nats.Subscription, err error) {
	add := func(sub *nats.Subscription, failed error) {
		if failed == nil {
			subs = append(subs, sub)
		}
		err = errors.Join(err, failed)
	}
	add(conn.QueueSubscribe(thinkSubject+".*", thinkQueue, w.acceptMove))
	if w.Analyses > 0 {
		add(conn.Subscribe(leaseSubject+".*."+w.name, w.leased))
		add(conn.QueueSubscribe(analyzeSubject+".*", thinkQueue, w.acceptAnalysis))
	}
	return subs, err
}

// owned reports whether the answers to a request go to its sender: an answer to another
// subject would be sent with our rights.
func owned(m *nats.Msg, subject string) bool {
	return strings.HasPrefix(m.Reply, inbox(strings.TrimPrefix(m.Subject, subject+"."))+".")
}

// acceptMove begins to choose a move, or refuses if there is too much to do.
func (w *liveWorker) acceptMove(m *nats.Msg) {
	if !owned(m, thinkSubject) {
		return
	}
	var r farm.ThinkRequest
	switch {
	case len(m.Data) > farm.MaxThinkRequest || json.Unmarshal(m.Data, &r) != nil || r.Time <= 0 || r.Time > farm.MaxThinkTime:
		say(m, farm.ThinkAnswer{State: farm.ThinkFailed, Text: "expected a position and at most a minute"})
	case w.ctx.Err() != nil || !enter(w.free):
		say(m, farm.ThinkAnswer{State: farm.ThinkBusy})
	default:
		say(m, farm.ThinkAnswer{State: farm.ThinkAccepted})
		w.all.Go(func() {
			defer leave(w.free)
			w.choose(m, r)
		})
	}
}

// enter takes a token, and reports whether there was one.
func enter(tokens chan struct{}) bool {
	select {
	case tokens <- struct{}{}:
		return true
	default:
		return false
	}
}

func leave(tokens chan struct{}) { <-tokens }

// choose chooses a move.
func (w *liveWorker) choose(m *nats.Msg, r farm.ThinkRequest) {
	ctx, cancel := context.WithTimeout(w.ctx, r.Time+time.Second)
	defer cancel()
	var move string
	var err error
	beating(m, func() { move, err = w.Think(ctx, r) })
	if err != nil {
		say(m, farm.ThinkAnswer{State: farm.ThinkFailed, Text: err.Error()})
		return
	}
	say(m, farm.ThinkAnswer{State: farm.ThinkMove, Text: move})
}

// beating sends heartbeats until do returns.
func beating(m *nats.Msg, do func()) {
	var beats sync.WaitGroup
	over := make(chan struct{})
	beats.Go(func() {
		ticks := time.NewTicker(farm.ThinkBeat)
		defer ticks.Stop()
		for {
			select {
			case <-over:
				return
			case <-ticks.C:
				say(m, farm.ThinkAnswer{State: farm.ThinkAlive})
			}
		}
	})
	defer beats.Wait()
	defer close(over)
	do()
}

// say sends an answer. Without one the server does the work itself.
func say(m *nats.Msg, a farm.ThinkAnswer) {
	if body, err := json.Marshal(a); err == nil && len(body) <= farm.MaxThinkAnswer {
		_ = m.Respond(body) // the connection may be lost
	}
}
