package judging

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine/remote/workers"
)

// Handler does a job. The context ends when the client no longer wants the result.
type Handler func(ctx context.Context, job []byte) ([]byte, error)

// Worker does jobs.
type Worker struct {
	conn   workers.Conn
	build  string
	handle Handler
	name   string
	most   int
	ctx    context.Context //nolint:containedctx // of all jobs, which NATS starts
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu   sync.Mutex // guards the rest
	jobs map[string]*job
	free *nats.Subscription // to the group of workers that are free; nil if this one is not
	runs int
}

// job is a job and its lease.
type job struct {
	owner  string // the key of the client
	cancel context.CancelFunc
	expiry *time.Timer

	state state // guarded by Worker.mu, as is body
	body  []byte
}

// Serve does up to so many jobs at a time until the context ends, or the caller calls Close. It takes jobs only from
// servers of the same build.
func Serve(ctx context.Context, conn workers.Conn, build string, most int, h Handler) (*Worker, error) {
	w := &Worker{conn: conn, build: build, handle: h, name: rand.Text(), most: most, jobs: map[string]*job{}}
	w.ctx, w.cancel = context.WithCancel(ctx)
	_, err := conn.NATS.Subscribe(askSubject+".*."+w.name, w.answer)
	if err == nil {
		w.mu.Lock()
		err = w.regroup()
		w.mu.Unlock()
	}
	if err = conn.ConfirmSubscriptions(err); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close stops all jobs and waits for them. Their clients find other workers.
func (w *Worker) Close() {
	w.cancel()
	w.mu.Lock()
	_ = w.regroup() // the connection may be closed
	w.mu.Unlock()
	w.all.Wait()
}

// regroup joins the group while the worker is free, and leaves it otherwise. The caller holds mu.
func (w *Worker) regroup() (err error) {
	switch in := w.ctx.Err() == nil && w.runs < w.most; {
	case in && w.free == nil:
		w.free, err = w.conn.NATS.QueueSubscribe(openSubject+".*."+token(w.build), group, w.accept)
	case !in && w.free != nil:
		err = w.free.Drain()
		w.free = nil
	}
	return err //nolint:wrapcheck // Serve says what was being done
}

// accept begins a job, or refuses it.
func (w *Worker) accept(m *nats.Msg) {
	owner, ok := w.conn.Sender(m)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.runs >= w.most || w.ctx.Err() != nil {
		w.say(m, busy, nil)
		return
	}
	w.runs++
	_ = w.regroup() // see Close
	number := rand.Text()
	ctx, cancel := context.WithCancel(w.ctx)
	j := &job{owner: owner, cancel: cancel, state: running}
	j.expiry = time.AfterFunc(leaseTime, func() { w.forget(number) })
	w.jobs[number] = j
	w.all.Go(func() { w.run(ctx, j, m.Data) })
	answer := &nats.Msg{Header: nats.Header{stateHeader: {string(accepted)}, workerHeader: {w.name}, jobHeader: {number}}}
	_ = m.RespondMsg(answer) // without it the client asks another worker, and the lease expires
}

// run does a job.
func (w *Worker) run(ctx context.Context, j *job, data []byte) {
	data, err := unpack(data)
	if err == nil {
		data, err = w.handle(ctx, data)
	}
	if err == nil {
		data, err = pack(data)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	j.state, j.body = done, data
	if err != nil {
		j.state, j.body = failed, []byte(err.Error())
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		j.state, j.body = unknown, nil // it was stopped: another worker does it
	}
	w.runs--
	_ = w.regroup() // see Close
}

// forget drops a job: its client has the result, or is gone.
func (w *Worker) forget(number string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if j := w.jobs[number]; j != nil {
		j.cancel()
		j.expiry.Stop()
		delete(w.jobs, number)
	}
}

// answer answers the question of a client about its job, and renews the lease. A question without a number has no
// job. A result is kept until its lease expires: an answer may be lost.
func (w *Worker) answer(m *nats.Msg) {
	owner, ok := w.conn.Sender(m)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.jobs[m.Header.Get(jobHeader)]
	if j == nil || j.owner != owner {
		w.say(m, unknown, nil)
		return
	}
	if j.state == running {
		j.expiry.Reset(leaseTime)
	}
	w.say(m, j.state, j.body)
}

// say answers a message.
func (w *Worker) say(m *nats.Msg, s state, body []byte) {
	_ = m.RespondMsg(&nats.Msg{Header: nats.Header{stateHeader: {string(s)}}, Data: body}) // the client asks again
}
