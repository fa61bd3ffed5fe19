package natsrpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
)

// Handler answers requests; scheduler.Scheduler is one.
type Handler interface {
	Worker(ctx context.Context, key, verb string, body []byte) ([]byte, error)
	Client(ctx context.Context, verb string, body []byte) ([]byte, error)
}

// Bounds of requests that are being answered. Those of clients may wait for results.
const (
	maxRequests    = 512
	maxOfKey       = 256
	requestTimeout = 30 * time.Second
)

// Requests answers requests until Close.
type Requests struct {
	conn    *nats.Conn
	handler Handler
	ctx     context.Context //nolint:containedctx // of all requests, which NATS starts
	cancel  context.CancelFunc
	subs    []*nats.Subscription
	all     sync.WaitGroup

	mu    sync.Mutex // guards count and total
	count map[string]int
	total map[Role]int
}

// Serve answers requests that come over a connection.
func Serve(conn *nats.Conn, h Handler) (*Requests, error) {
	s := &Requests{conn: conn, handler: h, count: map[string]int{}, total: map[Role]int{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, role := range []Role{RoleWorker, RoleClient} {
		sub, err := conn.Subscribe(prefix(role)+".*.*", func(m *nats.Msg) { s.accept(role, m) })
		if err != nil {
			s.Close()
			return nil, wrap("listening to requests", err)
		}
		s.subs = append(s.subs, sub)
	}
	return s, wrap("listening to requests", conn.Flush())
}

// Close stops answering, and waits for the requests that are being answered.
func (s *Requests) Close() {
	for _, sub := range s.subs {
		_ = sub.Unsubscribe() // the connection may be closed
	}
	s.cancel()
	s.all.Wait()
}

// Notify tells all workers that a job has ended, or, if it is "", that there may be new work.
func Notify(conn *nats.Conn, job string) error {
	return wrap("telling workers", conn.Publish(noticeSubject, []byte(job)))
}

// accept starts answering a request, or refuses it if there are too many.
func (s *Requests) accept(role Role, m *nats.Msg) {
	parts := strings.Split(m.Subject, ".")
	key, verb := parts[2], parts[3]
	if !strings.HasPrefix(m.Reply, inbox(key)+".") {
		return // an answer to another subject would be sent with our rights
	}
	if !s.enter(role, key) {
		s.reply(m, nil, farm.Refuse(farm.CodeBusy, "the coordinator is busy"))
		return
	}
	s.all.Go(func() {
		defer s.leave(role, key)
		ctx, cancel := context.WithTimeout(s.ctx, requestTimeout)
		defer cancel()
		var body []byte
		var err error
		if role == RoleWorker {
			body, err = s.handler.Worker(ctx, key, verb, m.Data)
		} else {
			body, err = s.handler.Client(ctx, verb, m.Data)
		}
		s.reply(m, body, err)
	})
}

func (s *Requests) enter(role Role, key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil || s.total[role] >= maxRequests || s.count[key] >= maxOfKey {
		return false
	}
	s.total[role]++
	s.count[key]++
	return true
}

func (s *Requests) leave(role Role, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total[role]--
	if s.count[key]--; s.count[key] == 0 {
		delete(s.count, key)
	}
}

// codeHeader is the header of an answer that is an error.
const codeHeader = "Farm-Error"

// reply sends an answer. Errors other than farm.RequestError are reported as failures of the
// coordinator.
func (s *Requests) reply(m *nats.Msg, body []byte, err error) {
	answer := &nats.Msg{Subject: m.Reply, Data: body}
	if err != nil {
		var r *farm.RequestError
		if !errors.As(err, &r) {
			r = farm.Refuse(farm.CodeBusy, "the coordinator failed: %v", err)
		}
		answer.Header = nats.Header{codeHeader: {r.Code}}
		answer.Data = []byte(r.Text)
	}
	_ = s.conn.PublishMsg(answer) // the other side asks again
}

// describe returns the error of an answer, or nil.
func describe(m *nats.Msg) error {
	if code := m.Header.Get(codeHeader); code != "" {
		return &farm.RequestError{Code: code, Text: fmt.Sprintf("%.500s", m.Data)}
	}
	return nil
}
