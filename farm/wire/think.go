package wire

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
)

// thinkSubject begins the subject of requests for moves of live games. The next token is
// the key of the server. Workers listen in a queue group, so that one gets each request.
const (
	thinkSubject = "farm.think"
	thinkQueue   = "think"
)

// answersOfMove bounds the answers to a request that NATS lets a worker send, and
// answersTime the time in which it may.
const (
	answersOfMove = 1000
	answersTime   = 2 * farm.MaxThinkTime
)

// Thinking is the requests of a server for moves. Its methods may be called at the same
// time.
type Thinking struct {
	conn  *Conn
	inbox string // of answers: servers may share a key, and each must get its own
	sub   *nats.Subscription

	mu      sync.Mutex // guards the rest
	last    int
	waiting map[string]chan farm.ThinkAnswer
}

// Thinking begins to listen to answers of workers. Close ends it.
func (c *Conn) Thinking() (*Thinking, error) {
	t := &Thinking{conn: c, inbox: inbox(c.key.public) + ".think." + rand.Text() + ".", waiting: map[string]chan farm.ThinkAnswer{}}
	var err error
	t.sub, err = c.nats.Subscribe(t.inbox+"*", t.answered)
	return t, wrap("listening to workers", err)
}

// Close ends the listening.
func (t *Thinking) Close() { _ = t.sub.Unsubscribe() } // the connection may be closed

// waitingAnswers is how many answers wait for a slow reader; others are dropped.
const waitingAnswers = 16

// Think sends a request, and returns its answers. The caller ends it.
func (t *Thinking) Think(r farm.ThinkRequest) (answers <-chan farm.ThinkAnswer, end func(), err error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, nil, wrap("writing a request", err)
	}
	list := make(chan farm.ThinkAnswer, waitingAnswers)
	t.mu.Lock()
	t.last++
	token := strconv.Itoa(t.last)
	t.waiting[token] = list
	t.mu.Unlock()
	end = func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.waiting, token)
	}
	if err := t.conn.nats.PublishRequest(thinkSubject+"."+t.conn.key.public, t.inbox+token, body); err != nil {
		end()
		return nil, nil, wrap("asking a worker", err)
	}
	return list, end, nil
}

// answered passes an answer to the request that waits for it.
func (t *Thinking) answered(m *nats.Msg) {
	a := farm.ThinkAnswer{State: farm.ThinkNobody}
	if m.Header.Get("Status") == "" && json.Unmarshal(m.Data, &a) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case t.waiting[m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]] <- a:
	default: // the request has ended
	}
}

// Think chooses a move.
type Think func(ctx context.Context, r farm.ThinkRequest) (move string, err error)

// thinkers is the moves that a worker chooses for servers.
type thinkers struct {
	think Think
	free  chan struct{} // a token for each move at a time
	ctx   context.Context
	all   sync.WaitGroup
}

// ServeThinking lets think choose moves of live games, up to slots at a time, until the caller
// calls end, which waits for the moves in progress.
func (c *Conn) ServeThinking(ctx context.Context, slots int, think Think) (end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	t := &thinkers{think: think, free: make(chan struct{}, slots), ctx: ctx}
	sub, err := c.nats.QueueSubscribe(thinkSubject+".*", thinkQueue, t.accept)
	if err == nil {
		err = c.nats.Flush()
	}
	if err == nil {
		err = c.nats.LastError() // the server may not allow it
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("listening to servers: %w: expected a key of role %s", err, RoleLive)
	}
	return func() {
		_ = sub.Unsubscribe() // the connection may be closed
		cancel()
		t.all.Wait()
	}, nil
}

// accept begins to choose a move, or refuses if there are too many.
func (t *thinkers) accept(m *nats.Msg) {
	if !strings.HasPrefix(m.Reply, inbox(strings.TrimPrefix(m.Subject, thinkSubject+"."))+".") {
		return // an answer to another subject would be sent with our rights
	}
	var r farm.ThinkRequest
	switch {
	case len(m.Data) > farm.MaxThinkRequest || json.Unmarshal(m.Data, &r) != nil || r.Time <= 0 || r.Time > farm.MaxThinkTime:
		t.answer(m, farm.ThinkFailed, "expected a position and at most a minute")
		return
	case t.ctx.Err() != nil:
		t.answer(m, farm.ThinkBusy, "")
		return
	}
	select {
	case t.free <- struct{}{}:
		t.answer(m, farm.ThinkAccepted, "")
		t.all.Go(func() {
			defer func() { <-t.free }()
			t.choose(m, r)
		})
	default:
		t.answer(m, farm.ThinkBusy, "")
	}
}

// choose chooses a move, and sends heartbeats meanwhile.
func (t *thinkers) choose(m *nats.Msg, r farm.ThinkRequest) {
	ctx, cancel := context.WithTimeout(t.ctx, r.Time+time.Second)
	defer cancel()
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
				t.answer(m, farm.ThinkAlive, "")
			}
		}
	})
	move, err := t.think(ctx, r)
	close(over)
	beats.Wait()
	if err != nil {
		t.answer(m, farm.ThinkFailed, err.Error())
		return
	}
	t.answer(m, farm.ThinkMove, move)
}

func (t *thinkers) answer(m *nats.Msg, state, text string) {
	if body, err := json.Marshal(farm.ThinkAnswer{State: state, Text: text}); err == nil {
		_ = m.Respond(body) // without an answer the server chooses itself
	}
}
