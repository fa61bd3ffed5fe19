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

// A NATS server repairs its copy only from two others that have verified theirs a moment ago, at its request: both
// must be intact, equal, and have everything that the damaged copy still has. So each acknowledged event stays
// on two disks:
//
//   - Two servers that restart at once: the second finds that the first is still fetching, and waits.
//   - Servers that lag: they have less than the damaged copy, and it waits for them.
//   - A start of all servers: intact ones start at once, and a damaged one waits until they run.
//   - Two damaged copies of three: each learns of the other, and nothing is changed.

// verifySubject is the subject on which NATS servers ask each other to verify their copies.
const verifySubject = "quintet.member.verify"

// Time limits of a repair.
const (
	verifyTimeout = time.Minute            // of the others, to read their copies
	answerTime    = 5 * time.Second        // for a small copy
	repairTimeout = 2 * time.Minute        // until the others are intact
	repairAgain   = time.Second            // between two requests
	copyAgain     = 500 * time.Millisecond // until a copy that looks damaged is read again: JetStream may be rewriting a block
	copyTries     = 3
)

// memberAgent speaks for a NATS server, whether it runs or not.
type memberAgent struct {
	store  string
	conn   *nats.Conn
	logger *slog.Logger
	leave  context.CancelFunc
	all    sync.WaitGroup // the goroutine that answers

	mu      sync.Mutex // guards the rest
	health  memberHealth
	stopped bool   // the server does not run, because its copy is damaged
	rival   string // another server with a damaged copy
}

// newMemberAgent connects to any server of the cluster, as soon as one runs.
func newMemberAgent(name, store string, c Cluster, logger *slog.Logger) (*memberAgent, error) {
	a := &memberAgent{store: store, logger: logger, health: memberHealth{Server: name}}
	var err error
	a.conn, err = Dial(c.URL, c.Auth, nats.Name("quintet nats "+name), nats.NoEcho(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
		nats.Timeout(time.Second), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(pings), nats.LameDuckModeHandler(reconnectOnLameDuck))
	var sub *nats.Subscription
	if err == nil {
		sub, err = a.conn.SubscribeSync(verifySubject)
	}
	if err != nil {
		return nil, fmt.Errorf("connecting to the cluster: %w", err)
	}
	ctx, leave := context.WithCancel(context.Background())
	a.leave = leave
	a.all.Go(func() {
		for m, err := sub.NextMsgWithContext(ctx); err == nil; m, err = sub.NextMsgWithContext(ctx) {
			a.answer(ctx, m)
		}
	})
	return a, nil
}

// set changes the health, and announces it.
func (a *memberAgent) set(problem string, stopped bool) {
	a.mu.Lock()
	a.health.Problem, a.stopped, a.rival = problem, stopped, ""
	a.mu.Unlock()
	a.announce()
}

// verifyRequest asks all other servers to verify their copies, because the one that asks is damaged.
type verifyRequest struct {
	Server string `json:"server"`
	Last   uint64 `json:"last"` // its last event
}

// answer answers a request of another server. A server without a copy does not answer.
func (a *memberAgent) answer(ctx context.Context, m *nats.Msg) {
	var r verifyRequest
	a.mu.Lock()
	name := a.health.Server
	if json.Unmarshal(m.Data, &r) != nil || r.Server == name {
		a.mu.Unlock()
		return
	}
	a.rival = r.Server
	c := memberCopy{Problem: a.health.Problem, Stopped: a.stopped}
	a.mu.Unlock()
	if !c.Stopped {
		var err error
		if c, err = a.read(ctx, r.Last); errors.Is(err, errNoCopy) {
			return
		} else if err != nil {
			c.Problem = err.Error()
		}
	}
	c.Server = name
	if text, err := json.Marshal(c); err == nil {
		_ = m.Respond(text) // a server that misses it asks again
	}
}

// read verifies the copy, again if it looks damaged.
func (a *memberAgent) read(ctx context.Context, upTo uint64) (c memberCopy, err error) {
	for try := range copyTries {
		if try > 0 && !pause(ctx, copyAgain) {
			return c, ctx.Err()
		}
		if _, c, err = readMember(a.store, upTo); err == nil && c.Problem == "" {
			break
		}
	}
	return c, err
}

// ask asks the other servers to verify their copies. After the first answer it waits ten times as long for the
// second: a server that does not run answers nothing.
func (a *memberAgent) ask(ctx context.Context, mine memberCopy) (others map[string]memberCopy, err error) {
	inbox := a.conn.NewInbox()
	sub, err := a.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }() // the inbox is used once
	text, err := json.Marshal(verifyRequest{a.health.Server, mine.Last})
	if err == nil {
		err = a.conn.PublishRequest(verifySubject, inbox, text)
	}
	others = map[string]memberCopy{}
	for began, wait := time.Now(), verifyTimeout; err == nil && len(others) < replicas-1; wait = answerTime + 10*time.Since(began) {
		m, late := next(ctx, sub, wait)
		if late != nil {
			return others, ctx.Err()
		}
		var c memberCopy
		if err = json.Unmarshal(m.Data, &c); err == nil {
			others[c.Server] = c
		}
	}
	return others, err
}

// errTwoDamaged is the error of a repair while the copy of another server is damaged, too.
var errTwoDamaged = errors.New("the copies of two servers are damaged: nothing was changed. Restore a backup into a new cluster, or verify all copies and start a server on the best one")

// intactElsewhere returns nil if both other servers have intact copies of all that a damaged copy has.
func intactElsewhere(mine memberCopy, others map[string]memberCopy) error {
	var first *memberCopy
	for _, c := range others {
		switch {
		case c.Stopped:
			return fmt.Errorf("NATS server %s does not run (%s): %w", c.Server, c.Problem, errTwoDamaged)
		case c.Problem != "":
			return fmt.Errorf("the copy of NATS server %s cannot be used: %s", c.Server, c.Problem)
		case c.Last < mine.Last || c.LastRecord < mine.LastRecord || c.Heartbeat < mine.Heartbeat:
			return fmt.Errorf("NATS server %s has not caught up: its last event is %d, and the last one here %d", c.Server, c.Last, mine.Last)
		case first != nil && c.Sum != first.Sum:
			return fmt.Errorf("NATS servers %s and %s have different events", first.Server, c.Server)
		case first != nil && c.Records != first.Records:
			return fmt.Errorf("NATS servers %s and %s have different records", first.Server, c.Server)
		}
		first = &c
	}
	if n := len(others); n < replicas-1 {
		return fmt.Errorf("%d of the %d other NATS servers answered: start them with quintet nats", n, replicas-1)
	}
	return nil
}

// repairable asks the other servers once.
func (a *memberAgent) repairable(ctx context.Context, mine memberCopy) error {
	others, err := a.ask(ctx, mine)
	if err == nil {
		err = intactElsewhere(mine, others)
	}
	a.mu.Lock()
	rival := a.rival
	a.mu.Unlock()
	if err != nil && rival != "" && !errors.Is(err, errTwoDamaged) {
		err = fmt.Errorf("NATS server %s reports a damaged copy (%w): %w", rival, err, errTwoDamaged)
	}
	return err
}

// prepare verifies the copy of a server that is about to start. It sets a damaged copy aside as soon as the others
// are known to be intact, and fails if that takes too long. It returns what the server must fetch.
func (a *memberAgent) prepare(ctx context.Context, now func() time.Time) (fetch *memberCopy, err error) {
	_, mine, err := readMember(a.store, 0)
	switch {
	case errors.Is(err, errNoCopy):
		a.logger.Info("this NATS server has no copy of the log yet")
		return nil, nil
	case err != nil:
		return nil, err
	case mine.Problem == "":
		a.set("", false)
		return nil, nil
	}
	a.set(mine.Problem, true)
	a.logger.Error("the copy of the log is damaged: the NATS server starts when the other two have verified theirs", "store", a.store, "problem", mine.Problem)
	ctx, cancel := context.WithTimeout(ctx, repairTimeout)
	defer cancel()
	for {
		if err = a.repairable(ctx, mine); err == nil {
			break
		}
		if errors.Is(err, errTwoDamaged) || !pause(ctx, repairAgain) {
			return nil, fmt.Errorf("repairing the copy of the log in %s (%s): %w", a.store, mine.Problem, err)
		}
	}
	kept, err := mine.setAside(a.store, now())
	if err != nil {
		return nil, err
	}
	a.logger.Warn("what is damaged was set aside: the NATS server fetches it from the others", "kept", kept)
	a.set(fetching, false)
	return &mine, nil
}

// fetching is the problem of a copy that is being fetched.
const fetching = "it is being fetched from the other servers"

// close ends the connection.
func (a *memberAgent) close() {
	a.leave()
	a.all.Wait()
	a.conn.Close()
}
