package workers

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine/remote"
)

// ClientConfig is what a Client needs.
type ClientConfig struct {
	// Dial connects, and returns what identifies the build of this program: that of the workers
	// must be the same. The Client closes the connection.
	Dial func(ctx context.Context) (c Conn, build string, err error)
	Log  *slog.Logger
}

// Bounds of what a client does.
const (
	ackTime  = 100 * time.Millisecond // until a worker accepts a session
	restTime = 5 * time.Second        // without asking, after a worker has failed
	tries    = 2                      // workers that are asked: one that has just begun something else declines
	maxMoves = 64                     // sessions at a time
	maxLong  = 32
)

// Times after which a worker is lost: one that dies costs at most silence, and one that is
// alive and has no line overtime.
const (
	silence  = 4 * beatEvery
	stall    = 2 * time.Second
	overtime = 500 * time.Millisecond
)

// Client asks workers. Its methods may be called at the same time.
type Client struct {
	config ClientConfig
	moves  *class
	long   *class

	mu    sync.Mutex // guards the rest
	conn  Conn       // without NATS while there is no connection
	build string
	inbox string // of answers: servers may share a key, and each must get its own
	last  int
	links map[string]*link // by the last token of their inbox
}

// class is a kind of sessions. It implements remote.Transport.
type class struct {
	client  *Client
	subject string
	most    int

	// client.mu guards these.
	open int       // sessions
	rest time.Time // no worker is asked before
	lost int64     // sessions that have failed
}

// NewClient returns a Client, which has no workers until Run.
func NewClient(c ClientConfig) *Client {
	n := &Client{config: c, links: map[string]*link{}}
	n.moves = &class{client: n, subject: moveSubject, most: maxMoves}
	n.long = &class{client: n, subject: searchSubject, most: maxLong}
	return n
}

// Moves returns the transport of searches for which somebody waits.
func (c *Client) Moves() remote.Transport { return c.moves }

// Long returns the transport of long searches.
func (c *Client) Long() remote.Transport { return c.long }

// Counts returns how many long searches workers do, and how many of their sessions have failed.
func (c *Client) Counts() (open int, lost int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.long.open, c.long.lost
}

// Run connects to the farm, and renews the leases of all sessions, until the context ends.
func (c *Client) Run(ctx context.Context) {
	for away := false; ctx.Err() == nil; Pause(ctx, renewEvery) {
		err := c.connect(ctx)
		if err == nil && c.connection() == nil {
			err = errors.New("the connection is lost")
		}
		if err != nil && !away {
			c.config.Log.Warn("the farm is away: this server does its own searches", "reason", err)
		} else if err == nil && away {
			c.config.Log.Info("the farm is back")
		}
		away = err != nil
		c.renew()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn.NATS != nil {
		c.conn.NATS.Close()
	}
}

// connect connects once; the NATS client then reconnects automatically.
func (c *Client) connect(ctx context.Context) error {
	c.mu.Lock()
	there := c.conn.NATS != nil
	c.mu.Unlock()
	if there {
		return nil
	}
	conn, build, err := c.config.Dial(ctx)
	if err != nil {
		return err
	}
	box := conn.Inbox(conn.Key) + ".search." + rand.Text() + "."
	if _, err := conn.NATS.Subscribe(box+"*", c.answered); err != nil {
		conn.NATS.Close()
		return fmt.Errorf("listening to workers: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.build, c.inbox = conn, build, box
	return nil
}

// renew renews the leases of all sessions.
func (c *Client) renew() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.links {
		if l.worker != "" {
			_ = l.Send(remote.Request{Do: renew}) // otherwise the lease expires, and the session is lost
		}
	}
}

// connection returns the connection, or nil if there is none now.
func (c *Client) connection() *nats.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn.NATS == nil || !c.conn.NATS.IsConnected() {
		return nil
	}
	return c.conn.NATS
}

// Terms implements remote.Transport.
func (k *class) Terms() remote.Terms {
	k.client.mu.Lock()
	defer k.client.mu.Unlock()
	return remote.Terms{Build: k.client.build, Silence: silence, Stall: stall, Overtime: overtime, Tries: 1}
}

// Errors of sessions.
var (
	errMute = errors.New("no worker has answered in time")
	errGone = errors.New("the worker is gone")
)

// Open implements remote.Transport. It takes at most ackTime.
func (k *class) Open(ctx context.Context, deliver func(remote.Reply)) (remote.Link, error) {
	l := k.begin(deliver)
	if l == nil {
		return nil, remote.ErrNone
	}
	err := l.open(ctx)
	if err == nil {
		return l, nil
	}
	l.Close()
	if errors.Is(err, errMute) {
		l.Fail(err)
	}
	return nil, err
}

// begin makes a link, or returns nil if no worker should be asked.
func (k *class) begin(deliver func(remote.Reply)) *link {
	conn := k.client.connection()
	k.client.mu.Lock()
	defer k.client.mu.Unlock()
	if conn == nil || k.open >= k.most || time.Now().Before(k.rest) {
		return nil
	}
	k.open++
	k.client.last++
	l := &link{
		class: k, conn: k.client.conn, token: strconv.Itoa(k.client.last), deliver: deliver,
		greetings: make(chan answer, tries), lost: make(chan struct{}),
	}
	l.inbox = k.client.inbox + l.token
	k.client.links[l.token] = l
	return l
}

// answered passes an answer to its session.
func (c *Client) answered(m *nats.Msg) {
	nobody := m.Header.Get("Status") != "" // NATS says that nobody listens
	var a answer
	if !nobody && (len(m.Data) > maxMessage || json.Unmarshal(m.Data, &a) != nil) {
		return
	}
	c.mu.Lock()
	l := c.links[m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]]
	c.mu.Unlock()
	if l != nil {
		l.take(a, nobody)
	}
}
