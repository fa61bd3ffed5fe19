// Package coordinator runs a farm: an embedded NATS server or a connection to a cluster,
// the store on it, the scheduler, and the handlers of requests.
//
// Start with [Start]. A [Follower] reads the results of a job in order.
package coordinator

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
	"quintet/farm/jet"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	livejet "quintet/live/jet"
)

// Config configures a coordinator.
type Config struct {
	Listen string // the address of the NATS server inside the process
	Data   string // the folder of keys and streams
	TLS    natsrpc.TLS

	NATS     string // the address of a NATS server in its place
	Auth     livejet.Auth
	Replicas int // of the streams there

	// Several coordinators may share a NATS server elsewhere: one leads, and the others
	// stand by until it has not renewed its lease for LeaseTime, 5 s if 0.
	LeaseTime time.Duration

	Disk int64         // bytes that jobs and results may take; 0 for no limit
	Keep time.Duration // how long a job is kept after its end; 0 keeps it forever

	Build farm.Build
	Kinds farm.Kinds // of jobs; they replay a share of the results, too
	Log   *slog.Logger

	// Executable is this program, to offer to workers of another version; nil to offer none.
	// Close closes it.
	Executable *os.File
	Grace      time.Duration // in which workers claim the leases of the last run; 3 s if 0
}

// Coordinator is a running farm.
type Coordinator struct {
	Scheduler *scheduler.Scheduler
	Keys      *natsrpc.Keys

	lock     *os.File
	server   *natsrpc.Server // nil with a NATS server elsewhere
	conn     *nats.Conn
	lease    *jet.Lease // nil with the server inside the process
	requests *natsrpc.Requests
	cancel   context.CancelFunc // ends what is running
	running  sync.WaitGroup
	program  *os.File
}

// defaultGrace is longer than the pause after which workers reconnect.
const defaultGrace = 3 * time.Second

// Start starts a coordinator. Close stops it.
func Start(ctx context.Context, c Config) (*Coordinator, error) {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fmt.Errorf("creating the folder of the farm: %w", err)
	}
	lock, err := livejet.LockFile(filepath.Join(c.Data, "lock"))
	if err != nil {
		return nil, fmt.Errorf("opening the farm in %s: %w", c.Data, err)
	}
	f := &Coordinator{lock: lock, program: c.Executable}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	if err := f.start(ctx, running, c); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// start starts the parts of a coordinator. running ends when it is closed.
func (f *Coordinator) start(ctx, running context.Context, c Config) (err error) {
	if f.Keys, err = natsrpc.OpenKeys(filepath.Join(c.Data, "keys")); err != nil {
		return err
	}
	if err := f.connect(c); err != nil {
		return err
	}
	limits := jet.Limits{Bytes: c.Disk}
	if c.NATS == "" {
		limits.Space = func() error { return livejet.CheckSpace(c.Data) }
	}
	store, err := jet.Open(ctx, f.conn, max(c.Replicas, 1), limits)
	if err != nil {
		return err
	}
	if c.NATS != "" {
		if err := f.lead(ctx, running, store, c); err != nil {
			return err
		}
	}
	program, err := f.offer(c.Build)
	if err != nil {
		return err
	}
	f.Scheduler, err = scheduler.New(ctx, store, scheduler.Config{
		Build: c.Build, Now: time.Now, Random: unpredictable(), Log: c.Log, Kinds: c.Kinds, Referee: farm.Do, Grace: cmp.Or(c.Grace, defaultGrace), Keep: c.Keep, Program: program, Leads: f.lease.Valid,
		Notify: func(job string) { _ = natsrpc.Notify(f.conn, job) }, // without it leases end and workers ask, only later
	})
	if err != nil {
		return err
	}
	f.running.Go(func() { f.Scheduler.Run(running) })
	if f.server != nil {
		f.running.Go(func() { f.server.Revoke(running) })
	}
	f.requests, err = natsrpc.Serve(f.conn, f.Scheduler)
	return err
}

// offer signs the executable for workers of another version.
func (f *Coordinator) offer(b farm.Build) (*scheduler.Program, error) {
	if f.program == nil {
		return nil, nil
	}
	info, err := f.program.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading this program: %w", err)
	}
	p := farm.ProgramFile{OS: b.OS, Arch: b.Arch, SHA256: b.SHA256, Size: info.Size()}
	if p.Signature, err = f.Keys.Sign(p.Statement()); err != nil {
		return nil, err
	}
	return &scheduler.Program{ProgramFile: p, Content: f.program}, nil
}

// connect starts or finds the NATS server.
func (f *Coordinator) connect(c Config) (err error) {
	if c.NATS != "" {
		f.conn, err = livejet.Dial(c.NATS, c.Auth, nats.Name("quintet coordinator"), nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond))
		if err != nil {
			return fmt.Errorf("connecting to NATS: %w", err)
		}
		return nil
	}
	if f.server, err = natsrpc.Listen(c.Listen, filepath.Join(c.Data, "log"), f.Keys, c.TLS, c.Log); err != nil {
		return err
	}
	f.conn, err = f.server.Connect()
	return err
}

// unpredictable returns random numbers that no worker can predict.
func unpredictable() *rand.Rand {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // it never fails
	return rand.New(rand.NewChaCha8(seed))
}

// Addr returns the address for workers, or nil with a NATS server elsewhere.
func (f *Coordinator) Addr() net.Addr {
	if f.server == nil {
		return nil
	}
	return f.server.Addr()
}

// Close stops the coordinator. Workers send again later what they send meanwhile.
func (f *Coordinator) Close() error {
	if f.requests != nil {
		f.requests.Close()
	}
	f.cancel()
	f.running.Wait()
	if f.conn != nil {
		f.conn.Close()
	}
	if f.server != nil {
		f.server.Close()
	}
	if f.program != nil {
		_ = f.program.Close() // it was only read
	}
	return f.lock.Close()
}
