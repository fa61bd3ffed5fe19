package judging

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine/remote/workers"
)

// Client sends jobs to workers. Its methods may be called at the same time.
type Client struct {
	// dial connects, and returns what identifies the build of this program.
	dial func(ctx context.Context) (c workers.Conn, build string, err error)
	log  *slog.Logger

	mu    sync.Mutex // guards the rest
	conn  workers.Conn
	build string
	away  bool // no worker takes jobs, and the log says so
}

// NewClient returns a client, which connects for the first job. Close closes the connection.
func NewClient(dial func(ctx context.Context) (c workers.Conn, build string, err error), log *slog.Logger) *Client {
	return &Client{dial: dial, log: log}
}

// Close closes the connection. No job may be under way.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn.NATS != nil {
		c.conn.NATS.Close()
	}
}

// connect connects once; NATS connects again by itself.
func (c *Client) connect(ctx context.Context) (conn workers.Conn, build string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn.NATS == nil {
		if c.conn, c.build, err = c.dial(ctx); err != nil {
			c.conn = workers.Conn{}
		}
	}
	return c.conn, c.build, err
}

// Errors of jobs.
var (
	errNobody = errors.New("no worker of this version is free")
	errLost   = errors.New("the worker is gone")
)

// maxLost is how many workers may vanish during a job: the job may be the reason.
const maxLost = 3

// Do sends a job to a worker, waiting until one is free, and returns its result. The error is that of the job, or of the context, or says
// that several workers have vanished.
func (c *Client) Do(ctx context.Context, job []byte) ([]byte, error) {
	packed, err := pack(job)
	if err != nil {
		return nil, err
	}
	for lost := 0; ; {
		result, err := c.try(ctx, packed)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err() //nolint:wrapcheck // the caller's own
		case errors.Is(err, errLost):
			lost++
			c.log.Warn("a worker vanished during a job; retrying on another", "times", lost)
			if lost >= maxLost {
				return nil, fmt.Errorf("%d workers have begun it: %w", lost, err)
			}
		case !errors.Is(err, errNobody):
			return result, err
		}
		c.missing(err)
		workers.Pause(ctx, restTime)
	}
}

// missing logs, once, that no worker takes jobs.
func (c *Client) missing(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if nobody := errors.Is(err, errNobody); nobody != c.away {
		if c.away = nobody; nobody {
			c.log.Warn("submissions are waiting: no judging worker of this version is free", "reason", err)
		}
	}
}

// try lets one worker do a job.
func (c *Client) try(ctx context.Context, packed []byte) ([]byte, error) {
	conn, build, err := c.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNobody, err)
	}
	m, err := ask(ctx, conn, &nats.Msg{Subject: openSubject + "." + conn.Key + "." + token(build), Data: packed})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNobody, err)
	}
	worker, number := m.Header.Get(workerHeader), m.Header.Get(jobHeader)
	if state(m.Header.Get(stateHeader)) != accepted || !workers.ValidName(worker) {
		return nil, errNobody
	}
	c.missing(nil)
	return follow(ctx, conn, &nats.Msg{Subject: askSubject + "." + conn.Key + "." + worker, Header: nats.Header{jobHeader: {number}}})
}

// follow asks a worker for the result of a job until there is one, or the worker is gone.
func follow(ctx context.Context, conn workers.Conn, question *nats.Msg) ([]byte, error) {
	heard := time.Now()
	for wait := askEvery / 8; ; wait = min(2*wait, askEvery) {
		workers.Pause(ctx, wait)
		m, err := ask(ctx, conn, question)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err() //nolint:wrapcheck // the caller's own
		case err != nil && time.Since(heard) > silence:
			return nil, fmt.Errorf("%w: %w", errLost, err)
		case err != nil:
			continue
		}
		heard = time.Now()
		switch state(m.Header.Get(stateHeader)) {
		case done:
			return unpack(m.Data)
		case failed:
			return nil, fmt.Errorf("a worker: %.1000s", m.Data)
		case running:
		default:
			return nil, errLost
		}
	}
}

// ask sends a message and waits for the answer. Without anybody who listens it fails at once.
func ask(ctx context.Context, conn workers.Conn, m *nats.Msg) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return conn.NATS.RequestMsgWithContext(ctx, m) //nolint:wrapcheck // the caller wraps it
}
