// Package pipe searches in a child process, the engine process, so that nothing in the server
// waits for a search. It has the scheduling policy SCHED_IDLE: the kernel runs
// it when no other process wants the processor. A thread with such a priority inside the
// server would stop the whole server whenever it holds a lock of the Go runtime, or delays a
// garbage collection, and gets no processor time.
//
// The server makes a Process with New, which is a remote.Transport. The engine process is the
// same program in another mode: it calls Background and then Serve. They exchange lines of JSON
// over its standard input and output. Its searches find what those in the server would.
//
// The engine process starts when it is first needed. If it ends unexpectedly, it is started again
// after a delay, and the search in progress begins again with empty tables. When the server dies,
// its input ends, and it exits.
package pipe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"quintet/engine/remote"
)

// Config is what a Process needs. Command and Log must be set.
type Config struct {
	// Command returns the command of the engine process. The process must end when the
	// context does.
	Command func(ctx context.Context) (*exec.Cmd, error)

	Build string // of this program; that of the engine process must be the same
	Log   *slog.Logger
}

// Process is the engine process. It is safe for concurrent use.
type Process struct {
	config   Config
	hangTime time.Duration
	restarts atomic.Int64
	sessions atomic.Uint64 // opened so far
	all      sync.WaitGroup
	closing  chan struct{}

	mu       sync.Mutex // guards the rest
	child    *child     // the running process; nil before the first search and after the last failure
	closed   bool
	failures int       // in a row: the process ended soon, or could not be started
	ended    time.Time // when it last did
}

// errClosed is the error of searches after Close.
var errClosed = errors.New("the server is stopping")

// New returns a Process, which starts with the first search. The caller calls Close.
func New(c Config) *Process {
	return &Process{config: c, hangTime: hangTime, closing: make(chan struct{})}
}

// hangTime is how long a running search may be silent or make no progress before the engine
// process is killed. It tells something every second, and searches every few milliseconds
// could, but a machine that is busy with other programs leaves it only a few thousandths of a
// processor.
const hangTime = 5 * time.Minute

// maxTries is how many engine processes may end during a search before it fails: perhaps it
// is the reason.
const maxTries = 3

// Terms implements remote.Transport.
func (p *Process) Terms() remote.Terms {
	return remote.Terms{Build: p.config.Build, Silence: p.hangTime, Stall: p.hangTime, Tries: maxTries, Parks: true}
}

// Open implements remote.Transport.
func (p *Process) Open(ctx context.Context, deliver func(remote.Reply)) (remote.Link, error) {
	c, err := p.connect(ctx)
	if err != nil {
		return nil, err
	}
	l := link{c, p.sessions.Add(1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sessions[l.session] = deliver
	return l, nil
}

// link is a session in the engine process. It implements remote.Link.
type link struct {
	child   *child
	session uint64
}

// Send implements remote.Link.
func (l link) Send(r remote.Request) error {
	r.Session = l.session
	return l.child.send(r)
}

// Lost implements remote.Link.
func (l link) Lost() <-chan struct{} { return l.child.done }

// Fail implements remote.Link. It waits until the process has ended, so that the next session is
// in another.
func (l link) Fail(why error) {
	l.child.kill(why)
	<-l.child.done
}

// Close implements remote.Link.
func (l link) Close() {
	_ = l.Send(remote.Request{Do: remote.Release}) // it has no position, so it can be encoded
	l.child.mu.Lock()
	defer l.child.mu.Unlock()
	delete(l.child.sessions, l.session)
}

// Restarts returns how many times the engine process was started again after it had ended by
// itself.
func (p *Process) Restarts() int64 { return p.restarts.Load() }

// Close ends the engine process and waits for it. Searches fail then.
func (p *Process) Close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.closing)
	}
	if p.child != nil {
		p.child.stop()
	}
	p.mu.Unlock()
	p.all.Wait()
}

// Delays before the engine process is started again after failures in a row.
const (
	minDelay = 100 * time.Millisecond // after the second
	maxDelay = 30 * time.Second
)

// delay returns how long to wait before a start, by the number of failures in a row.
func delay(failures int) time.Duration {
	if failures < 2 {
		return 0
	}
	return min(minDelay<<min(failures-2, 20), maxDelay)
}

// stableTime is how long the engine process must run for its end not to count as a further
// failure in a row.
const stableTime = 10 * time.Second

// connect returns the running engine process. It starts one if there is none, when the delay
// after the last failures is over.
func (p *Process) connect(ctx context.Context) (*child, error) {
	for {
		c, wait, err := p.current(ctx)
		if wait <= 0 {
			return c, err
		}
		select {
		case <-time.After(wait):
		case <-p.closing:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// current returns the running engine process, or starts one, unless that must wait.
func (p *Process) current(ctx context.Context) (c *child, wait time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, 0, errClosed
	}
	if p.child != nil {
		return p.child, 0, nil
	}
	if wait = delay(p.failures) - time.Since(p.ended); p.failures > 1 && wait > 0 {
		return nil, wait, nil
	}
	if p.failures > 0 {
		p.restarts.Add(1)
	}
	if c, err = p.start(ctx); err != nil {
		p.failed(err)
		return nil, 0, err
	}
	p.child = c
	return c, 0, nil
}

// start starts the engine process. The caller holds mu.
func (p *Process) start(ctx context.Context) (*child, error) {
	c, err := startChild(context.WithoutCancel(ctx), p.config)
	if err != nil {
		return nil, fmt.Errorf("starting the engine process: %w", err)
	}
	began := time.Now()
	p.all.Go(func() {
		err := c.run()
		p.forget(err, time.Since(began) >= stableTime)
		close(c.done) // now that the next connect does not return it
	})
	return c, nil
}

// forget notes that the engine process has ended, and whether it had run for long.
func (p *Process) forget(why error, stable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.child = nil
	if stable {
		p.failures = 0
	}
	if !p.closed {
		p.failed(why)
	}
}

// failed notes that the engine process has ended or cannot be started. The caller holds mu.
func (p *Process) failed(why error) {
	p.failures++
	p.ended = time.Now()
	p.config.Log.Warn("the engine process failed: it is started again when needed", "error", why, "failures", p.failures, "delay", delay(p.failures))
}
