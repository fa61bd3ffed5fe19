package natsrpc

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"

	"quintet/farm"
)

// The beginnings of subjects. The next token is the key of the server. Workers listen to
// requests in a queue group, so that one gets each.
const (
	thinkSubject   = "farm.think"   // requests for moves of live games
	analyzeSubject = "farm.analyze" // requests for analyses
	leaseSubject   = "farm.lease"   // leases of analyses; the name of a worker follows the key
	thinkQueue     = "think"
)

// maxAnswers bounds the answers to a request that NATS lets a worker send, and answersTime
// the time in which it may.
const (
	maxAnswers  = 1000
	answersTime = 2 * farm.MaxThinkTime
)

// Thinking is the requests of a server for moves and analyses. Its methods may be called at
// the same time.
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

// Think sends a request for a move, and returns its answers. The caller ends it.
func (t *Thinking) Think(r farm.ThinkRequest) (answers <-chan farm.ThinkAnswer, end func(), err error) {
	answers, _, end, err = t.request(thinkSubject, r)
	return answers, end, err
}

// Analyze sends a request for an analysis, and returns its answers and its name in leases. The
// caller renews the lease and releases it, and ends the request.
func (t *Thinking) Analyze(r farm.AnalysisRequest) (answers <-chan farm.ThinkAnswer, id string, end func(), err error) {
	return t.request(analyzeSubject, r)
}

// Lease tells a worker that a lease is renewed or released. The worker is the text with which
// it has accepted the analysis.
func (t *Thinking) Lease(worker string, l farm.AnalysisLease) error {
	if worker == "" || len(worker) > maxName || strings.Trim(worker, nameSigns) != "" || strings.Contains(worker, ".") {
		return fmt.Errorf("the worker's name %.40q: expected letters and digits", worker)
	}
	body, err := json.Marshal(l)
	if err != nil {
		return wrap("writing a lease", err)
	}
	return wrap("telling a worker", t.conn.nats.Publish(leaseSubject+"."+t.conn.key.public+"."+worker, body))
}

// maxName bounds the name of a worker, in bytes.
const maxName = 64

// request sends a request to one of the workers.
func (t *Thinking) request(subject string, r any) (answers <-chan farm.ThinkAnswer, id string, end func(), err error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, "", nil, wrap("writing a request", err)
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
	if err := t.conn.nats.PublishRequest(subject+"."+t.conn.key.public, t.inbox+token, body); err != nil {
		end()
		return nil, "", nil, wrap("asking a worker", err)
	}
	return list, strings.TrimPrefix(t.inbox, inbox(t.conn.key.public)+".") + token, end, nil
}

// answered passes an answer to the request that waits for it.
func (t *Thinking) answered(m *nats.Msg) {
	a := farm.ThinkAnswer{State: farm.ThinkNobody}
	if m.Header.Get("Status") == "" && (len(m.Data) > farm.MaxThinkAnswer || json.Unmarshal(m.Data, &a) != nil) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case t.waiting[m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]] <- a:
	default: // the request has ended
	}
}
