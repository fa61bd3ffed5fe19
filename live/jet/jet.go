// Package jet is a live.Log on NATS JetStream: in a server inside the process, or
// in a running cluster.
//
// Start with Open for a folder, or Join for a cluster. Both promise that an event is
// fsynced when Append returns: the server inside the process syncs always, and Join fails
// unless three servers of the cluster report sync_interval: always.
//
// Many events that arrive together are written in batches of up to 500 that share one fsync.
// Concurrency is optimistic: JetStream accepts an event only if the last sequence number of its
// subject, a stream of live.Log, is the one that the writer expects.
package jet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/internal/platform"
	"quintet/live"
)

const (
	streamName       = "QUINTET"      // all events
	subjects         = "quintet.game" // followed by the name of a stream of live.Log
	heartbeatStream  = "QUINTET_BEAT" // the service time
	heartbeatSubject = "quintet.beat"

	startTime       = 30 * time.Second      // how long a server may take to come up
	ackTimeout      = 10 * time.Second      // how long a disk may take until the outcome of a write counts as unknown
	clusterTimeout  = 2 * time.Second       // the same in a cluster, where another server may become the leader
	connectInterval = 20 * time.Millisecond // between two tries to connect to the server inside the process
)

// Log is a live.Log on JetStream.
type Log struct {
	conn       *nats.Conn
	js         jetstream.JetStream
	replicas   int
	timeout    time.Duration   // how long an answer may take
	embedded   *embeddedServer // nil in a cluster
	fsync      *fsyncChecker   // nil but in a cluster
	lock       *os.File        // nil in a cluster
	commit     *committer
	background sync.WaitGroup // the goroutine that restarts the own server, or checks those of a cluster
	leave      context.CancelFunc
	link       connState     // to a cluster
	reads      chan struct{} // holds a token for each page that is requested
	secretMu   sync.Mutex    // held while the secret is created
	erasing    sync.Mutex    // held while events are erased
	erased     erased
	damaged    damaged
	copies     copies      // in a cluster
	digests    *digests    // nil in a cluster
	recordSums *recordSums // nil in a cluster
}

var _ live.Log = (*Log)(nil)

// Open opens the log in a folder, and creates it if there is none. Only one process can
// have it open. The caller must close it. Erasures that were interrupted are finished.
func Open(ctx context.Context, dir string, logger *slog.Logger) (*Log, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("making the folder of the log: %w", err)
	}
	lock, err := LockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, fmt.Errorf("opening the log in %s: %w", dir, err)
	}
	l, err := openChecked(ctx, dir, cmp.Or(logger, slog.New(slog.DiscardHandler)))
	if err == nil {
		err = l.finishErasing(ctx)
	}
	if err != nil {
		if l != nil {
			err = errors.Join(err, l.Close())
		}
		return nil, errors.Join(err, lock.Close())
	}
	l.lock = lock
	keeping, leave := context.WithCancel(context.Background())
	l.leave = leave
	l.background.Go(func() { l.supervise(keeping) })
	l.background.Go(func() { l.scrub(keeping, dir) })
	return l, nil
}

// openLocked opens the log in a folder that is locked.
func openLocked(ctx context.Context, dir string, logger *slog.Logger) (*Log, error) {
	own := newEmbeddedServer(dir, logger)
	if err := own.start(); err != nil {
		return nil, err
	}
	conn, err := nats.Connect("", nats.InProcessServer(own), nats.Name("quintet"), nats.MaxReconnects(-1),
		nats.ReconnectWait(connectInterval), nats.ReconnectJitter(0, 0), nats.ReconnectBufSize(-1))
	if err != nil {
		own.end()
		return nil, fmt.Errorf("connecting to the log: %w", err)
	}
	l := &Log{conn: conn, embedded: own, replicas: 1, timeout: ackTimeout, reads: make(chan struct{}, maxReads)}
	if err := l.prepare(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if err := l.check(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// embedded returns the options of the server inside the process. It does not listen, and
// acknowledges each write after its fsync. JetStream's own limit, three quarters of the
// space that is free at the start, is off: the reserve of host replaces it.
func embedded(dir string) *server.Options {
	return &server.Options{
		ServerName: "quintet", DontListen: true, NoSigs: true, JetStream: true, StoreDir: dir,
		SyncAlways: true, MaxPayload: 1 << 20, JetStreamMaxStore: math.MaxInt64,
	}
}

// startServer starts a NATS server and waits until it is ready.
func startServer(o *server.Options, logger server.Logger) (*server.Server, error) {
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("setting up the log: %w", err)
	}
	s.SetLoggerV2(logger, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, fmt.Errorf("starting the log: it is not ready after %s", startTime)
	}
	return s, nil
}

// prepare creates missing streams, and starts the committer.
func (l *Log) prepare(ctx context.Context) error {
	js, err := jetstream.New(l.conn, jetstream.WithDefaultTimeout(l.timeout))
	if err != nil {
		return fmt.Errorf("preparing the log: %w", err)
	}
	l.js = js
	streams := []jetstream.StreamConfig{
		{
			Name: streamName, Subjects: []string{subjects + ".*"}, Description: "events of the games of Quintet",
			Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, Replicas: l.replicas,
			AllowAtomicPublish: true, AllowDirect: true, DenyPurge: true, Duplicates: time.Second,
		},
		{
			Name: heartbeatStream, Subjects: []string{heartbeatSubject}, Description: "service time of Quintet",
			Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, Replicas: l.replicas, Duplicates: time.Second,
		},
		l.recordConfig(),
	}
	if l.embedded == nil {
		for _, which := range live.SecretNames() {
			streams = append(streams, l.secretConfig(which))
		}
	}
	for _, c := range streams {
		if err := l.stream(ctx, c); err != nil {
			return err
		}
	}
	if l.commit == nil {
		l.commit = newCommitter(l)
	}
	return nil
}

// stream creates a stream if it is missing, and rejects one with weaker guarantees.
func (l *Log) stream(ctx context.Context, c jetstream.StreamConfig) error {
	s, err := l.js.CreateStream(ctx, c)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		s, err = l.js.Stream(ctx, c.Name)
	}
	if err != nil {
		return fmt.Errorf("preparing stream %s: %w", c.Name, err)
	}
	got := s.CachedInfo().Config
	switch {
	case got.Storage != c.Storage || got.Replicas < c.Replicas || got.Retention != c.Retention:
		return &unfitError{fmt.Sprintf("stream %s has storage %s, %d replicas and retention %s: expected %s, %d, %s",
			c.Name, got.Storage, got.Replicas, got.Retention, c.Storage, c.Replicas, c.Retention)}
	case c.AllowAtomicPublish && !got.AllowAtomicPublish || c.AllowDirect && !got.AllowDirect:
		return &unfitError{fmt.Sprintf("stream %s does not allow atomic batches and direct reading: expected both", c.Name)}
	}
	return nil
}

// unfitError says that the configuration of the cluster is unusable: waiting does not help.
type unfitError struct{ why string }

// Error says why.
func (e *unfitError) Error() string { return e.why }

// Close stops the committer, and the server inside the process if there is one.
func (l *Log) Close() (err error) {
	if l.commit != nil {
		l.commit.close()
	}
	l.conn.Close()
	if l.leave != nil {
		l.leave()
		l.background.Wait()
	}
	if l.embedded != nil {
		l.embedded.end()
	}
	if l.fsync != nil {
		l.fsync.close()
	}
	if l.digests != nil {
		err = l.digests.close()
	}
	if l.recordSums != nil {
		err = errors.Join(err, l.recordSums.file.Close())
	}
	if l.lock != nil {
		err = errors.Join(err, l.lock.Close())
	}
	return err
}

// Last implements live.Log.
func (l *Log) Last(ctx context.Context) (uint64, error) {
	s, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return 0, fmt.Errorf("reading the log: %w", err)
	}
	return s.CachedInfo().State.LastSeq, nil
}

// LockFile opens a file that only one process can hold, until it is closed.
func LockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the user names the folder
	if err != nil {
		return nil, err
	}
	err = platform.Lock(f)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, platform.ErrLocked):
		err = errors.New("another program has it open: stop that program, or use another folder")
	default:
		err = fmt.Errorf("locking it: %w", err)
	}
	return nil, errors.Join(err, f.Close())
}
