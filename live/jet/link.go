package jet

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// link is how a Log is connected to a cluster. It notices what says that an answer
// will not come any more: another server leads the log, or the connection is a new
// one; and that the server to which it is connected can do nothing, because it has
// lost the others.
type link struct {
	mu      sync.Mutex         // guards the rest
	change  context.Context    //nolint:containedctx // ends when answers that are waited for will not come
	changed context.CancelFunc // ends it
	heard   time.Time          // when the log last answered
	left    time.Time          // when another server was last looked for
}

// How soon it is noticed that a server does not answer: when it has not answered
// two pings, and when the log has not for a while through it.
const (
	pingTime   = time.Second
	pings      = 2
	deafTime   = 2500 * time.Millisecond
	rejoinWait = 100 * time.Millisecond
	newsTime   = 300 * time.Millisecond
)

// elected is where the cluster says that another server leads a stream.
const elected = "$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED.*"

// connect connects to a cluster. Nothing is kept for later while there is no
// connection: what was decided then would be written when it is wrong.
func (l *Log) connect(url string, a Auth) (err error) {
	l.link.heard = time.Now()
	l.conn, err = dial(url, a, nats.Name("quintet"), nats.MaxReconnects(-1), nats.ReconnectBufSize(-1), nats.ReconnectWait(rejoinWait), nats.ReconnectJitter(rejoinWait, rejoinWait),
		nats.Timeout(time.Second), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(pings), nats.ReconnectHandler(func(*nats.Conn) { l.link.news() }), nats.LameDuckModeHandler(leaveLameDuck))
	if err != nil {
		return err
	}
	if _, err := l.conn.Subscribe(elected, func(*nats.Msg) { l.link.news() }); err != nil {
		l.conn.Close()
		return err
	}
	return nil
}

// leaveLameDuck looks for another server when the one of a connection says that it is
// about to end.
func leaveLameDuck(c *nats.Conn) {
	_ = c.ForceReconnect() // it fails when the connection is closed
}

// within returns a context that ends after a time, or a moment after news that say
// that waiting is of no use.
func (k *link) within(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	k.mu.Lock()
	if k.change == nil {
		k.change, k.changed = context.WithCancel(context.Background())
	}
	change := k.change
	k.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, most)
	stop := context.AfterFunc(change, func() {
		select {
		case <-time.After(newsTime): // what is on its way may come
		case <-ctx.Done():
		}
		cancel()
	})
	return ctx, func() { stop(); cancel() }
}

func (k *link) news() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changed != nil {
		k.changed()
		k.change, k.changed = nil, nil
	}
}

// heard says that the log has answered.
func (l *Log) heard() {
	l.link.mu.Lock()
	defer l.link.mu.Unlock()
	l.link.heard = time.Now()
}

// missed says that it has not. After some time, another server is tried: the one
// that it is connected to may be there, and have lost all others.
func (l *Log) missed(err error) error {
	if l.own != nil {
		return err
	}
	now := time.Now()
	l.link.mu.Lock()
	leave := now.Sub(l.link.heard) > deafTime && now.Sub(l.link.left) > deafTime
	if leave {
		l.link.left = now
	}
	l.link.mu.Unlock()
	if leave {
		_ = l.conn.ForceReconnect() // it fails when the log is closed
	}
	return err
}
