package jet

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// connState tracks the connection to a cluster, for two decisions: to stop waiting for an
// answer that can no longer come, because another server leads the log or the connection
// was replaced; and to leave a NATS server that has lost the rest of the cluster.
type connState struct {
	era  Era // ends when pending answers are lost
	meta Era // ends when the cluster elects a leader, which creates consumers

	mu         sync.Mutex // guards the rest
	answeredAt time.Time  // when the log last answered
	leftAt     time.Time  // when this server last left a NATS server
}

// Failure detection: two missed pings end a connection; a log that has not answered for
// silenceTimeout makes the client try another NATS server.
const (
	pingTime       = time.Second
	pings          = 2
	silenceTimeout = 2500 * time.Millisecond
	reconnectWait  = 100 * time.Millisecond
	inFlightTime   = 100 * time.Millisecond // after an election, for answers that are on their way
)

// leaderElected is the subject on which the cluster announces a new leader of a stream. The system account hears
// of a new leader of the cluster on metaElected.
const (
	leaderElected = "$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED.*"
	metaElected   = "$JS.EVENT.ADVISORY.DOMAIN.LEADER_ELECTED"
)

// connect connects to a cluster. Nothing is buffered while disconnected: a buffered event
// would be stale when written. A server does not hear its own announcements and questions.
func (l *Log) connect(url string, a Auth) (err error) {
	l.link.answeredAt = time.Now()
	l.conn, err = Dial(url, a, nats.Name("quintet"), nats.NoEcho(), nats.MaxReconnects(-1), nats.ReconnectBufSize(-1), nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectWait, reconnectWait),
		nats.Timeout(time.Second), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(pings), nats.ReconnectHandler(func(*nats.Conn) { l.link.era.Next(); l.fsync.suspect() }), nats.LameDuckModeHandler(reconnectOnLameDuck))
	if err != nil {
		return err
	}
	if _, err := l.conn.Subscribe(leaderElected, func(*nats.Msg) { l.link.era.Next() }); err != nil {
		l.conn.Close()
		return err
	}
	return nil
}

// reconnectOnLameDuck leaves a NATS server that announces its shutdown.
func reconnectOnLameDuck(c *nats.Conn) {
	_ = c.ForceReconnect() // it fails only when the connection is closed
}

// withTimeout returns a context that ends after a time, or soon after pending answers are
// lost.
func (c *connState) withTimeout(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, most)
	stop := context.AfterFunc(c.era.Current(), func() {
		select {
		case <-time.After(inFlightTime):
		case <-ctx.Done():
		}
		cancel()
	})
	return ctx, func() { stop(); cancel() }
}

// answered notes that the log has answered.
func (l *Log) answered() {
	l.link.mu.Lock()
	defer l.link.mu.Unlock()
	l.link.answeredAt = time.Now()
}

// unanswered records a failed request and returns its error. If the log has been silent for
// a while, the client moves to another NATS server, because this one may have lost the rest
// of the cluster.
func (l *Log) unanswered(err error) error {
	if l.embedded != nil {
		return err
	}
	l.fsync.suspect()
	now := time.Now()
	l.link.mu.Lock()
	leave := now.Sub(l.link.answeredAt) > silenceTimeout && now.Sub(l.link.leftAt) > silenceTimeout
	if leave {
		l.link.leftAt = now
	}
	l.link.mu.Unlock()
	if leave {
		_ = l.conn.ForceReconnect() // it fails only when the log is closed
	}
	return err
}
