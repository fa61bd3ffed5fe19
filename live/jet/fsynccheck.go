package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// fsyncChecker asks all NATS servers of a cluster whether they fsync each write before they
// acknowledge it: before a log is opened, and every five seconds while it is open, because
// a server may restart with other settings.
type fsyncChecker struct {
	system string     // addresses, with the rights of the system account
	conn   *nats.Conn // nil before the first connection
	auth   Auth
	logger *slog.Logger

	account   string        // that owns the streams
	suspected chan struct{} // takes one when a leader may be dead

	mu      sync.Mutex // guards blocked
	blocked error      // why nothing may be written; nil if it may
}

const (
	queryTimeout   = 2 * time.Second        // for all answers to a query
	quietTime      = 300 * time.Millisecond // for further answers when enough have come
	retryInterval  = 200 * time.Millisecond // between queries before the log is open
	checkInterval  = 5 * time.Second        // between queries after that
	missingTimeout = 5 * time.Second        // for a third server when two have answered
)

// majority is how many replicas must have a write.
const majority = replicas/2 + 1

// unsafeError says that a server can lose writes that it has acknowledged.
type unsafeError struct{ server string }

// Error names the server and the setting that it needs.
func (e *unsafeError) Error() string {
	return fmt.Sprintf("server %s acknowledges writes before they are on the disk: set sync_interval: always in its jetstream section", e.server)
}

// verify asks until three servers have said that they fsync, and none that it does not.
// After a while two are enough: the third may be down, and is asked when it is back.
func (f *fsyncChecker) verify(ctx context.Context) error {
	if f.system == "" {
		return &unfitError{"whether its servers fsync every write is unknown: give --nats-system, an address with the rights of the system account"}
	}
	for began, logged := time.Now(), false; ; logged = true {
		safe, err := f.query(ctx, quietTime)
		waited := time.Since(began)
		switch {
		case err == nil && safe >= replicas:
			return nil
		case err == nil && safe >= majority && waited > missingTimeout:
			f.logger.Warn("a server of the cluster is missing: the others are enough", "there", safe, "wanted", replicas)
			return nil
		case err == nil:
			err = fmt.Errorf("%d servers report sync_interval: always: %d are needed", safe, replicas)
		}
		if permanent(err) || ctx.Err() != nil || waited > startTime {
			return err
		}
		if !logged {
			f.logger.Warn("waiting for the cluster", "most", startTime, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryInterval):
		}
	}
}

// permanent reports whether an error will not go away by waiting.
func permanent(err error) bool {
	var unsafe *unsafeError
	var unfit *unfitError
	return errors.As(err, &unsafe) || errors.As(err, &unfit) || errors.Is(err, nats.ErrAuthorization)
}

// serverReport is the part of a server's JSZ answer that matters here.
type serverReport struct {
	Disabled bool `json:"disabled"`
	Config   struct {
		Always bool `json:"sync_always"`
	} `json:"config"`
}

// query asks all servers, and returns how many say that they fsync each write. When
// enough have said so, it waits only the time quiet for further answers. The
// error is an unsafeError if a server does not fsync.
func (f *fsyncChecker) query(ctx context.Context, quiet time.Duration) (safe int, err error) {
	if err := f.connect(); err != nil {
		return 0, fmt.Errorf("as the system account: %w", err)
	}
	err = f.ping(ctx, "JSZ", `{"config":true}`, func(name string, data []byte) (wait time.Duration, err error) {
		var r serverReport
		switch err := json.Unmarshal(data, &r); {
		case err != nil || r.Disabled:
			return queryTimeout, nil //nolint:nilerr // it is not counted
		case !r.Config.Always:
			return 0, &unsafeError{name}
		}
		if safe++; safe >= replicas {
			return quiet, nil
		}
		return queryTimeout, nil
	})
	return safe, err
}

// ping asks all servers for a report. It calls take with each answer, and waits for another one as long as take
// says, up to queryTimeout for all.
func (f *fsyncChecker) ping(ctx context.Context, report, request string, take func(server string, data []byte) (wait time.Duration, err error)) error {
	inbox := f.conn.NewInbox()
	sub, err := f.conn.SubscribeSync(inbox)
	if err != nil {
		return fmt.Errorf("asking servers for %s: %w", report, err)
	}
	defer func() { _ = sub.Unsubscribe() }() // it fails when there is no connection, and nothing to end
	if err := f.conn.PublishRequest("$SYS.REQ.SERVER.PING."+report, inbox, []byte(request)); err != nil {
		return fmt.Errorf("asking servers for %s: %w", report, err)
	}
	for end, wait := time.Now().Add(queryTimeout), queryTimeout; wait > 0; {
		m, err := next(ctx, sub, min(wait, time.Until(end)))
		if errors.Is(err, nats.ErrNoResponders) {
			return &unfitError{"servers may not be asked how they write: give --nats-system with the rights of the system account"}
		}
		if err != nil {
			break // no more answers
		}
		var r struct {
			Server struct {
				Name string `json:"name"`
			} `json:"server"`
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(m.Data, &r); err != nil {
			continue
		}
		if wait, err = take(r.Server.Name, r.Data); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func next(ctx context.Context, sub *nats.Subscription, within time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return sub.NextMsgWithContext(ctx)
}

func (f *fsyncChecker) connect() (err error) {
	if f.conn == nil {
		f.conn, err = Dial(f.system, f.auth, nats.Name("quintet asks how servers write"), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
			nats.Timeout(time.Second), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(pings), nats.LameDuckModeHandler(reconnectOnLameDuck),
			nats.ReconnectHandler(func(*nats.Conn) { f.suspect() }))
	}
	return err
}

// watch asks every five seconds until the context ends.
func (f *fsyncChecker) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkInterval):
		}
		f.observe(f.query(ctx, queryTimeout))
	}
}

// observe takes in the result of a query. An unsafe server is forgotten only when a
// majority has answered without it: a failed query proves nothing.
func (f *fsyncChecker) observe(safe int, err error) {
	var unsafe *unsafeError
	switch {
	case errors.As(err, &unsafe):
		f.set(err)
	case err == nil && safe >= majority:
		f.set(nil)
	}
}

func (f *fsyncChecker) set(blocked error) {
	f.mu.Lock()
	before := f.blocked
	f.blocked = blocked
	f.mu.Unlock()
	switch {
	case blocked != nil && before == nil:
		f.logger.Error("writes to the log stop: a NATS server could lose them", "error", blocked)
	case blocked == nil && before != nil:
		f.logger.Info("writes to the log continue")
	}
}

// err returns why nothing may be written now; nil if it may.
func (f *fsyncChecker) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.blocked
}

func (f *fsyncChecker) close() {
	if f.conn != nil {
		f.conn.Close()
	}
}
