package natsrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/engine/remote/workers"
	"quintet/farm"
	livejet "quintet/live/jet"
)

// Conn is the connection of a worker or client to a coordinator. It reconnects
// automatically.
type Conn struct {
	nats *nats.Conn
	role Role
	key  keyFile
	url  string
	era  livejet.Era // ends when the connection is lost: no answers come any more

	wrong atomic.Pointer[farm.RequestError] // set when the server says that the key has the wrong role
}

// Times of a connection.
const (
	dialTimeout   = 5 * time.Second
	reconnectWait = 500 * time.Millisecond
	answerTimeout = 15 * time.Second // for one request: clients wait 5 s for results
)

// DefaultPort is the port at which coordinators listen.
const DefaultPort = "7420"

// Dial connects to a coordinator. address is nats://HOST[:PORT] or HOST[:PORT], or
// several with commas; keyFile holds the seed of a key. tls://HOST is encrypted, with a
// certificate that the system trusts or that is in the file authority, "" for none.
func Dial(role Role, address, keyFile, authority string) (*Conn, error) {
	key, err := readKey(keyFile)
	if err != nil {
		return nil, err
	}
	shown, err := normalize(address)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	c := &Conn{role: role, key: key, url: shown}
	trust := func(*nats.Options) error { return nil }
	if authority != "" {
		trust = nats.RootCAs(authority)
	}
	c.nats, err = nats.Connect(shown, trust, nats.DisconnectErrHandler(func(*nats.Conn, error) { c.era.Next() }), nats.Name(string(role)+" at "+host), nats.Nkey(key.public, key.pair.Sign), nats.CustomInboxPrefix(inbox(key.public)),
		nats.Timeout(dialTimeout), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.ReconnectJitter(reconnectWait, reconnectWait),
		nats.ReconnectBufSize(-1), nats.IgnoreAuthErrorAbort(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.denied(keyFile, err) }))
	switch {
	case errors.Is(err, nats.ErrAuthorization), err != nil && strings.Contains(strings.ToLower(err.Error()), "authorization"):
		return nil, fmt.Errorf("the coordinator at %s does not accept this key: make one there with quintet coordinator key", shown)
	case err != nil:
		return nil, fmt.Errorf("no coordinator answers at %s: %w", shown, err)
	}
	return c, nil
}

// denied records that the key in a file has the wrong role for this program, and cancels pending
// requests: the server will not answer them.
func (c *Conn) denied(file string, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), `"`+prefix(c.role)+"."+c.key.public+".") {
		return // about another subject, such as that of a late answer
	}
	why := "is a client's key, which cannot take work: give --key a key of role worker or live"
	if c.role == RoleClient {
		why = "is a worker's key, which cannot submit or watch jobs: give --key a key of role client"
	}
	c.wrong.Store(farm.Refuse(farm.CodeKey, "%s %s (quintet coordinator key NAME --role ROLE makes one)", file, why))
	c.era.Next()
}

// normalize completes addresses. It refuses passwords in them, because everybody on a machine can
// see arguments.
func normalize(address string) (string, error) {
	var list []string
	for _, text := range strings.Split(address, ",") {
		if !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" || u.Path != "" {
			return "", fmt.Errorf("%.100q: expected the address of a coordinator, such as nats://host:%s", address, DefaultPort)
		}
		if u.User != nil {
			return "", errors.New("the address has a user or password: use --key FILE instead")
		}
		if u.Port() == "" {
			u.Host += ":" + DefaultPort
		}
		list = append(list, u.String())
	}
	return strings.Join(list, ","), nil
}

// withTimeout returns a context that ends after answerTimeout, or with the connection.
func (c *Conn) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	stop := context.AfterFunc(c.era.Current(), cancel)
	return ctx, func() { stop(); cancel() }
}

// Key returns the public key.
func (c *Conn) Key() string { return c.key.public }

// VerifyFarm checks that the farm whose key file is used has signed a statement.
func (c *Conn) VerifyFarm(statement, signature []byte) error {
	return c.key.verifyFarm(statement, signature)
}

// Searches returns the connection for searches of servers.
func (c *Conn) Searches() workers.Conn {
	return workers.Conn{NATS: c.nats, Key: c.key.public, Inbox: inbox}
}

// Close closes the connection.
func (c *Conn) Close() { c.nats.Close() }

// Notices calls notice with the identifier of each job that has ended, and with "" if there may
// be new work, until the connection closes.
func (c *Conn) Notices(notice func(job string)) error {
	_, err := c.nats.Subscribe(noticeSubject, func(m *nats.Msg) { notice(string(m.Data)) })
	return wrap("listening to the coordinator", err)
}

// ErrUnreachable says that the coordinator does not answer.
var ErrUnreachable = errors.New("the coordinator does not answer")

// Ask sends a request and decodes the answer. Its error wraps ErrUnreachable without an answer,
// and otherwise is a farm.RequestError.
func (c *Conn) Ask(ctx context.Context, verb string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return wrap("writing a request", err)
	}
	short, cancel := c.withTimeout(ctx)
	defer cancel()
	m, err := c.nats.RequestWithContext(short, prefix(c.role)+"."+c.key.public+"."+verb, body)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if wrong := c.wrong.Load(); wrong != nil {
		return wrong
	}
	if err != nil {
		return fmt.Errorf("%w at %s: %w", ErrUnreachable, c.url, err)
	}
	if err := describe(m); err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	return wrap("reading an answer", json.Unmarshal(m.Data, out))
}

// temporary reports whether a request may succeed later.
func temporary(err error) bool {
	return errors.Is(err, ErrUnreachable) || farm.HasCode(err, farm.CodeBusy) || farm.HasCode(err, farm.CodeFull)
}

// Times between tries of a request.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
)

// Persist sends a request until it succeeds, the error is not temporary, or the
// context ends. It waits longer after each failure, with jitter, so that a thousand
// workers do not come back at once. onError, if not nil, is called with each failure.
func (c *Conn) Persist(ctx context.Context, verb string, in, out any, onError func(error)) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := c.Ask(ctx, verb, in, out)
		if err == nil || !temporary(err) {
			return err
		}
		if onError != nil {
			onError(err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}
