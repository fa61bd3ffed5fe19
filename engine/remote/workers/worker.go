package workers

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine/remote"
)

// Worker searches for clients.
type Worker struct {
	conn   Conn
	server *remote.Server
	name   string // in the subject of sessions
	moves  *queue // with a token for each session at a time
	long   *queue // with a token for each long one, too
	ctx    context.Context
	cancel context.CancelCauseFunc
	all    sync.WaitGroup

	mu       sync.Mutex // guards the rest
	queues   []*queue   // in which the worker takes requests
	sessions map[string]*session
}

// session is a session and its lease, by the subject of its answers.
type session struct {
	*remote.Session
	expiry *time.Timer
}

// Why a session ends, besides remote.ErrReleased.
var (
	errExpired  = errors.New("the client has not renewed the lease")
	errStopping = errors.New("the worker is stopping")
)

// Serve lets clients have so many searches at a time, of them so many long ones, until the
// context ends or the caller calls Close. s.Beat is set.
func Serve(ctx context.Context, conn Conn, s remote.Server, searches, long int) (*Worker, error) {
	s.Beat = beatEvery
	w := &Worker{conn: conn, server: &s, name: rand.Text(), sessions: map[string]*session{}}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	if err := conn.ConfirmSubscriptions(w.listen(searches, long)); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close ends all sessions, whose clients are told so, and waits for their searches.
func (w *Worker) Close() {
	w.cancel(errStopping)
	w.regroup()
	w.all.Wait()
}

// listen subscribes to the requests.
func (w *Worker) listen(searches, long int) error {
	free := make(chan struct{}, searches)
	join := func(subject string, q *queue) {
		q.join = func() (*nats.Subscription, error) {
			return w.conn.NATS.QueueSubscribe(subject+".*", group, func(m *nats.Msg) { w.accept(q, m) })
		}
	}
	w.moves = &queue{tokens: []chan struct{}{free}}
	w.long = &queue{tokens: []chan struct{}{free, make(chan struct{}, long)}}
	join(moveSubject, w.moves)
	join(searchSubject, w.long)
	if _, err := w.conn.NATS.Subscribe(sessionSubject+".*."+w.name, w.handle); err != nil {
		return err //nolint:wrapcheck // Serve says what was being done
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queues = []*queue{w.moves}
	if long > 0 {
		w.queues = append(w.queues, w.long)
	}
	for _, q := range w.queues {
		if err := q.set(true); err != nil {
			return err
		}
	}
	return nil
}

// accept begins a session, or refuses if there is too much to do.
func (w *Worker) accept(q *queue, m *nats.Msg) {
	switch _, ok := w.conn.Sender(m); {
	case !ok:
	case !w.enter(q):
		say(m, answer{Busy: true})
	default:
		s := &session{Session: w.server.Begin(w.ctx, func(r remote.Reply) { say(m, answer{Reply: r}) })}
		s.expiry = time.AfterFunc(leaseTime, func() { s.End(errExpired) })
		w.mu.Lock()
		if old := w.sessions[m.Reply]; old != nil {
			old.End(remote.ErrReleased)
		}
		w.sessions[m.Reply] = s
		w.mu.Unlock()
		w.all.Go(func() { w.run(q, m.Reply, s) })
		say(m, answer{Worker: w.name})
	}
}

// run runs a session until it ends.
func (w *Worker) run(q *queue, reply string, s *session) {
	s.Run()
	s.expiry.Stop()
	w.mu.Lock()
	if w.sessions[reply] == s {
		delete(w.sessions, reply)
	}
	w.mu.Unlock()
	w.leave(q)
}

// handle handles a message for a session. Only its own client can name it: the subject has
// the client's key, and the answers go to an inbox of that.
func (w *Worker) handle(m *nats.Msg) {
	var r remote.Request
	if _, ok := w.conn.Sender(m); !ok || len(m.Data) > maxMessage || json.Unmarshal(m.Data, &r) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.sessions[m.Reply]
	switch {
	case s == nil: // it has ended
		if r.Do == remote.Search {
			say(m, answer{Reply: remote.Reply{Search: r.Search, Error: "the session has ended"}})
		}
	case r.Do == renew:
		s.expiry.Reset(leaseTime)
	default:
		if err := s.Handle(r); err != nil {
			s.End(err)
		}
	}
}

// say sends an answer. Without one the client does the work itself.
func say(m *nats.Msg, a answer) {
	if body, err := json.Marshal(a); err == nil && len(body) <= maxMessage {
		_ = m.Respond(body) // the connection may be lost
	}
}
