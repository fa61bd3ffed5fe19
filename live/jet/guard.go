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

// A guard asks the servers of a cluster how they write: before a log is opened, and
// as long as it is open, because a server may be started anew with other settings.
type guard struct {
	system string     // address, with the rights of the system account
	conn   *nats.Conn // nil until there was one
	auth   Auth
	logger *slog.Logger

	mu       sync.Mutex // guards careless
	careless error      // why nothing is written; nil if it is
}

// What is waited for: all answers of one question, further ones when enough have
// come, the next question before the log is open and after, and a server that is not
// there, when the others are enough.
const (
	askTime     = 2 * time.Second
	silenceTime = 300 * time.Millisecond
	askAgain    = 200 * time.Millisecond
	askEvery    = 5 * time.Second
	missTime    = 5 * time.Second
)

// majority is how many copies make a write count.
const majority = replicas/2 + 1

// carelessError says that a server could lose what it has acknowledged.
type carelessError struct{ server string }

// Error says what would be right.
func (e *carelessError) Error() string {
	return fmt.Sprintf("server %s acknowledges writes before they are on the disk: want sync_interval: always in its jetstream section", e.server)
}

// prove asks until three servers have said that they force their writes, and none has
// said otherwise. Two are enough after a while: one of three may be lost, and what it
// says is asked for when it is back.
func (g *guard) prove(ctx context.Context) error {
	if g.system == "" {
		return &unfitError{"its servers cannot be asked whether they force writes to the disk: want --nats-system, an address with the rights of the system account"}
	}
	for began, told := time.Now(), false; ; told = true {
		safe, err := g.ask(ctx, silenceTime)
		waited := time.Since(began)
		switch {
		case err == nil && safe >= replicas:
			return nil
		case err == nil && safe >= majority && waited > missTime:
			g.logger.Warn("a server of the cluster is missing: the others are enough", "there", safe, "wanted", replicas)
			return nil
		case err == nil:
			err = fmt.Errorf("%d servers say that they force writes to the disk: want %d or more", safe, replicas)
		}
		if final(err) || ctx.Err() != nil || waited > startTime {
			return err
		}
		if !told {
			g.logger.Warn("the cluster is waited for", "most", startTime, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(askAgain):
		}
	}
}

// final reports whether waiting does not help.
func final(err error) bool {
	var careless *carelessError
	var unfit *unfitError
	return errors.As(err, &careless) || errors.As(err, &unfit) || errors.Is(err, nats.ErrAuthorization)
}

// told is what a server says of how it writes, as far as it matters here.
type told struct {
	Server struct {
		Name string `json:"name"`
	} `json:"server"`
	Data struct {
		Disabled bool `json:"disabled"`
		Config   struct {
			Always bool `json:"sync_always"`
		} `json:"config"`
	} `json:"data"`
}

// ask asks all servers, and returns how many say that they force their writes. When
// enough have said so, further answers are waited for as long as silence says. The
// error is a carelessError if one does not.
func (g *guard) ask(ctx context.Context, silence time.Duration) (safe int, err error) {
	if err := g.connect(); err != nil {
		return 0, fmt.Errorf("as the system account: %w", err)
	}
	inbox := g.conn.NewInbox()
	sub, err := g.conn.SubscribeSync(inbox)
	if err != nil {
		return 0, fmt.Errorf("asking how servers write: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }() // it fails when there is no connection, and nothing to end
	if err := g.conn.PublishRequest("$SYS.REQ.SERVER.PING.JSZ", inbox, []byte(`{"config":true}`)); err != nil {
		return 0, fmt.Errorf("asking how servers write: %w", err)
	}
	for end := time.Now().Add(askTime); ctx.Err() == nil; {
		wait := time.Until(end)
		if safe >= replicas {
			wait = min(wait, silence)
		}
		m, err := next(ctx, sub, wait)
		if errors.Is(err, nats.ErrNoResponders) {
			return 0, &unfitError{"servers may not be asked how they write: want --nats-system with the rights of the system account"}
		}
		if err != nil {
			break // all have answered who will
		}
		var t told
		if err := json.Unmarshal(m.Data, &t); err != nil || t.Data.Disabled {
			continue
		}
		if !t.Data.Config.Always {
			return 0, &carelessError{t.Server.Name}
		}
		safe++
	}
	return safe, ctx.Err()
}

func next(ctx context.Context, sub *nats.Subscription, within time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return sub.NextMsgWithContext(ctx)
}

func (g *guard) connect() (err error) {
	if g.conn == nil {
		g.conn, err = dial(g.system, g.auth, nats.Name("quintet asks how servers write"), nats.MaxReconnects(-1), nats.ReconnectWait(rejoinWait),
			nats.Timeout(time.Second), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(pings), nats.LameDuckModeHandler(leaveLameDuck))
	}
	return err
}

// watch asks every now and then until the context ends.
func (g *guard) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(askEvery):
		}
		g.heard(g.ask(ctx, askTime))
	}
}

// heard takes in what servers have said. One that was careless is not forgotten before
// enough others have answered without it: it may be that nobody could be asked.
func (g *guard) heard(safe int, err error) {
	var careless *carelessError
	switch {
	case errors.As(err, &careless):
		g.set(err)
	case err == nil && safe >= majority:
		g.set(nil)
	}
}

func (g *guard) set(careless error) {
	g.mu.Lock()
	before := g.careless
	g.careless = careless
	g.mu.Unlock()
	switch {
	case careless != nil && before == nil:
		g.logger.Error("nothing is written to the log: it could be lost", "error", careless)
	case careless == nil && before != nil:
		g.logger.Info("the log is written to again")
	}
}

// fit returns an error if nothing should be written now.
func (g *guard) fit() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.careless
}

func (g *guard) close() {
	if g.conn != nil {
		g.conn.Close()
	}
}
