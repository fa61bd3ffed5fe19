package natsrpc

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

	name     string // in the subject of leases
	moves    *queue // with a token for each move or analysis at a time
	analyses *queue // with a token for each analysis, too
	ctx      context.Context
	all      sync.WaitGroup

	mu     sync.Mutex // guards the rest
	queues []*queue   // in which the worker takes requests
	leases map[string]*lease
}

// ServeLive answers requests of servers until the caller calls end, which waits for the work
// in progress.
func (c *Conn) ServeLive(ctx context.Context, l Live) (end func(), err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &liveWorker{
		Live: l, name: rand.Text(), ctx: ctx, leases: map[string]*lease{},
	}
	end = func() {
		cancel(errStopping)
		w.regroup()
		w.all.Wait()
	}
	err = w.listen(c.nats)
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
func (w *liveWorker) listen(conn *nats.Conn) error {
	free := make(chan struct{}, w.Moves)
	w.moves = &queue{tokens: []chan struct{}{free}, join: func() (*nats.Subscription, error) {
		return conn.QueueSubscribe(thinkSubject+".*", thinkQueue, w.acceptMove)
	}}
	w.analyses = &queue{tokens: []chan struct{}{free, make(chan struct{}, w.Analyses)}, join: func() (*nats.Subscription, error) {
		return conn.QueueSubscribe(analyzeSubject+".*", thinkQueue, w.acceptAnalysis)
	}}
	leases := &queue{join: func() (*nats.Subscription, error) {
		return conn.Subscribe(leaseSubject+".*."+w.name, w.leased)
	}}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queues = []*queue{w.moves}
	if w.Analyses > 0 {
		w.queues = append(w.queues, leases, w.analyses)
	}
	for _, q := range w.queues {
		if err := q.set(true); err != nil {
			return err
		}
	}
	return nil
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
	case !w.enter(w.moves):
		say(m, farm.ThinkAnswer{State: farm.ThinkBusy})
	default:
		say(m, farm.ThinkAnswer{State: farm.ThinkAccepted})
		w.all.Go(func() {
			answer := w.choose(m, r)
			w.leave(w.moves)
			say(m, answer)
		})
	}
}

// choose chooses a move, and returns the answer.
func (w *liveWorker) choose(m *nats.Msg, r farm.ThinkRequest) farm.ThinkAnswer {
	ctx, cancel := context.WithTimeout(w.ctx, r.Time+time.Second)
	defer cancel()
	var move string
	var err error
	beating(m, func() { move, err = w.Think(ctx, r) })
	if err != nil {
		return farm.ThinkAnswer{State: farm.ThinkFailed, Text: err.Error()}
	}
	return farm.ThinkAnswer{State: farm.ThinkMove, Text: move}
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
