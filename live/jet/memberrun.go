package jet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// memberInterval is the time between two announcements of a copy's health, and between two writes of its mark.
const memberInterval = time.Second

// Member is a NATS server of a cluster that verifies and repairs its copy of the log.
type Member struct {
	Config  string  // a configuration file of NATS
	Cluster Cluster // addresses of its servers, for the account that owns the streams
	Logger  *slog.Logger
	Verify  time.Duration // between two verifications of the running server; a day if 0
}

// Run runs the server until the context ends. Before it starts, it verifies its copy. It replaces a damaged copy
// from the other two servers, which must be Members, too; it fails if they cannot be shown to be intact.
func (m Member) Run(ctx context.Context) (err error) {
	o, err := server.ProcessConfigFile(m.Config)
	if err != nil {
		return fmt.Errorf("reading the configuration of the NATS server: %w", err)
	}
	if !o.JetStream || o.StoreDir == "" || o.ServerName == "" || o.Cluster.Name == "" {
		return fmt.Errorf("%s: expected a server_name, a cluster and jetstream with a store_dir", m.Config)
	}
	o.NoSigs = true
	lock, err := lockMember(ctx, o)
	if err != nil {
		return fmt.Errorf("starting NATS server %s: %w", o.ServerName, err)
	}
	defer func() { err = errors.Join(err, lock()) }()
	a, err := newMemberAgent(o.ServerName, o.StoreDir, m.Cluster, m.Logger)
	if err != nil {
		return err
	}
	defer a.close()
	for again := true; again; {
		fetch, err := a.prepare(ctx, time.Now)
		if err != nil {
			return err
		}
		if again, err = a.run(ctx, o, fetch, cmp.Or(m.Verify, scrubTime)); err != nil {
			return err
		}
	}
	return nil
}

// lockMember checks that no other program uses the store of a NATS server.
func lockMember(ctx context.Context, o *server.Options) (unlock func() error, err error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", net.JoinHostPort(o.Host, strconv.Itoa(max(o.Port, 0))))
	if err != nil {
		return nil, err
	}
	_ = l.Close() // nothing was accepted
	if err := os.MkdirAll(o.StoreDir, 0o750); err != nil {
		return nil, err
	}
	f, err := LockFile(filepath.Join(o.StoreDir, "quintet.lock"))
	if err != nil {
		return nil, fmt.Errorf("locking its store_dir: %w", err)
	}
	return f.Close, nil
}

// run runs the server until the context ends. again is true if the server was stopped because its copy is damaged,
// and the others are intact.
func (a *memberAgent) run(ctx context.Context, o *server.Options, fetch *memberCopy, every time.Duration) (again bool, err error) {
	mark, _, err := readMark(a.store)
	if err != nil {
		return false, err
	}
	s, err := startServer(o.Clone(), &natsLogger{log: a.logger})
	if err != nil {
		return false, err
	}
	note := func() {
		if err := writeMark(a.store, &mark); err != nil && !errors.Is(err, errNoCopy) && !errors.Is(err, os.ErrNotExist) {
			a.logger.Warn("cannot write the checkpoint: events missing from the end of this copy would go undetected", "error", err)
		}
	}
	defer func() { // its clients leave at once, and it hands over what it leads
		s.LameDuckShutdown()
		s.WaitForShutdown()
		note()
	}()
	verified := time.Now()
	for began := time.Now(); pause(ctx, memberInterval); a.announce() {
		note()
		if fetch == nil && time.Since(verified) < every && a.intact() {
			continue
		}
		if fetch != nil && !inSync(s, a.store) {
			continue
		}
		c, err := a.read(ctx, 0)
		switch {
		case errors.Is(err, errNoCopy), fetch != nil && (err != nil || !c.has(*fetch)):
			continue // it is being fetched
		case err != nil:
			a.logger.Error("the copy of the log cannot be read", "error", err)
		case c.Problem == "":
			if fetch != nil {
				a.logger.Warn("the copy of the log was fetched from the other servers and verified", "last_event", c.Last, "seconds", int(time.Since(began).Seconds()))
			}
			fetch, verified = nil, time.Now()
			a.set("", false)
		default:
			if a.restarts(ctx, c) {
				return true, nil
			}
		}
	}
	return false, nil
}

// inSync reports whether a server has caught up with its Raft groups. Until then the others cannot do without each other:
// NATS lets no server with an empty Raft log take part in an election.
func inSync(s *server.Server, store string) bool {
	streams, err := memberStreams(store)
	if err != nil {
		return false
	}
	account := filepath.Base(filepath.Dir(streams))
	for _, name := range []string{streamName, recordStream, heartbeatStream} {
		if !s.JetStreamIsStreamCurrent(account, name) {
			return false
		}
	}
	return s.JetStreamIsCurrent()
}

// has reports whether an intact copy has all that another one had.
func (c memberCopy) has(had memberCopy) bool {
	return c.Problem == "" && c.Last >= had.Last && c.LastRecord >= had.LastRecord && c.Heartbeat >= had.Heartbeat
}

func (a *memberAgent) intact() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.health.Problem == ""
}

// restarts reports whether a server with a damaged copy can be stopped to fetch another one.
func (a *memberAgent) restarts(ctx context.Context, c memberCopy) bool {
	if a.intact() {
		a.logger.Error("the copy of the log is damaged: the NATS server restarts when the other two have verified theirs", "store", a.store, "problem", c.Problem)
		a.set(c.Problem, false)
	}
	err := a.repairable(ctx, c)
	if err != nil && ctx.Err() == nil {
		a.logger.Error("the damaged copy of the log cannot be repaired yet", "error", err)
	}
	return err == nil
}
