package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
)

// serveFlags are the flags of quintet serve.
type serveFlags struct {
	addr, data, log string
	debug           bool
	memory          bool
	cluster         jet.Cluster
	config          serve.Config
	hosts           []string
	limits          bool
}

func newServe() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the games to browsers and scripts",
		Long: `Serve opens the games to everyone who can reach an address, against people
and engines, with clocks and spectators, in a browser or through the API. The
address is one of this machine alone if nothing is said. For others, take
--addr :8080, and open the page at this machine's address yourself: links are made
of the address at which the page is open.

Every move is on the disk before it is acknowledged. Stop it with an interrupt or
SIGTERM: what was begun is brought to its end, and whoever plays finds the game as
it was when the server is back; the time between is nobody's.

The environment variable GOGC trades memory for work, as in all programs in Go: 50
if it is not set. Where the games are kept if nothing is said depends on
XDG_DATA_HOME: see --data.
` + natsText + `

docs/operations.md says more of running it, docs/api.md what scripts may do.`,
		Example: `  quintet serve
  quintet serve --addr :8080 --data /var/lib/quintet`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.add(c)
	return c
}

func (f *serveFlags) add(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen at this `address`; :8080 is port 8080 of all of this machine's, :0 any free port")
	s.StringVar(&f.data, "data", "", "keep the games in this `folder` (default "+shownFolder()+")")
	addCluster(c, &f.cluster, "keep the games in the NATS cluster at this `address` instead, in three copies; --data has the list alone")
	s.BoolVar(&f.memory, "memory", false, "keep the games in memory alone: they end with the server")
	s.BoolVar(&f.config.Rebuild, "rebuild", false, "make the list of games anew from the log")
	s.IntVar(&f.config.Engines, "engines", 1, "how `many` engines think at a time; other moves wait")
	s.IntVar(&f.config.EngineQueue, "engine-queue", 1000, "how `many` moves of engines may wait; others are asked for again later")
	s.DurationVar(&f.config.EngineTime, "engine-time", time.Second, "the most that a move of an engine takes")
	s.DurationVar(&f.config.EnginePace, "engine-pace", 300*time.Millisecond, "the least between two moves of engines that play each other")
	s.DurationVar(&f.config.Stand, "stand", 5*time.Second, "how long the clocks stand after a start, or after an outage of a cluster, so that people find back")
	s.DurationVar(&f.config.Drain, "drain", 10*time.Second, "how long requests may take to come to an end when the server stops; 0s cuts them off")
	s.DurationVar(&f.config.OpenRetention, "open-retention", serve.OpenRetention, "call off games that never began after so long without an event; 0s never does")
	s.StringSliceVar(&f.hosts, "host", nil, "answer requests for this `name`, too, beside IP addresses, localhost, the names of this machine and of --addr; * for any name")
	s.BoolVar(&f.config.TrustProxy, "trust-proxy", false, "believe X-Forwarded-For and X-Forwarded-Proto: only behind a proxy that sets them")
	s.BoolVar(&f.limits, "limits", true, "refuse who asks for too much; switch it off to measure")
	s.StringVar(&f.log, "log", "text", "write what happens as `text or json`, on standard error")
	s.BoolVar(&f.debug, "debug", false, "write down every request, too")
}

// served returns the names by which the server may be asked for; nil for any.
func (f *serveFlags) served() []string {
	if slices.Contains(f.hosts, "*") {
		return nil
	}
	names := append([]string{}, f.hosts...)
	if host, _, err := net.SplitHostPort(f.addr); err == nil && host != "" {
		names = append(names, host)
	}
	if name, err := os.Hostname(); err == nil && name != "" { // by which the machines of a local network know this one
		first, _, _ := strings.Cut(name, ".")
		names = append(names, name, first, first+".local")
	}
	return names
}

func (f *serveFlags) run(c *cobra.Command) error {
	if !f.memory {
		fromEnvironment(&f.cluster, environment)
	}
	err := f.check(c)
	if err == nil && f.data == "" && !f.memory {
		f.data, err = dataFolder()
	}
	if err != nil {
		return err
	}
	f.meant()
	logger := f.logger(c.ErrOrStderr())
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // less memory for a little more work: ten thousand watchers keep much
	}
	f.config.Log, f.config.Hosts = logger, f.served()
	if f.limits {
		f.config.Creates = serve.Rate{Burst: 100, Second: 2}
		f.config.Moves = serve.Rate{Burst: 400, Second: 20}
		f.config.Requests = serve.Rate{Burst: 3000, Second: 300}
		f.config.Lasting = 1000
	}
	ctx, stop := interruptible(c)
	defer stop()
	return failed(f.serve(ctx, c.OutOrStdout(), logger))
}

func (f *serveFlags) logger(out io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{}
	if f.debug {
		o.Level = slog.LevelDebug
	}
	if f.log == "json" {
		return slog.New(slog.NewJSONHandler(out, o))
	}
	return slog.New(slog.NewTextHandler(out, o))
}

func (f *serveFlags) serve(ctx context.Context, out io.Writer, logger *slog.Logger) (err error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", f.addr)
	if err != nil {
		return fmt.Errorf("listening at %s: %w", f.addr, err)
	}
	defer func() { _ = listener.Close() }() // it is closed by then, unless the log fails
	l, closeLog, err := f.open(ctx, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	s, err := serve.New(ctx, l, f.config)
	if err != nil {
		return err
	}
	endControl, err := f.control(ctx, l, logger)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	defer endControl()
	if err := say(out, listener.Addr()); err != nil {
		return errors.Join(err, s.Close())
	}
	if !f.memory {
		logger.Info("games are kept", "folder", f.data)
	}
	return s.Run(ctx, listener)
}

// open opens the log, and says where its list belongs.
func (f *serveFlags) open(ctx context.Context, logger *slog.Logger) (live.Log, func() error, error) {
	if f.memory {
		return live.NewMemory(), func() error { return nil }, nil
	}
	l, err := f.join(ctx, logger)
	if err != nil {
		return nil, nil, err
	}
	f.config.Index = filepath.Join(f.data, "list.sqlite")
	return l, l.Close, nil
}

// join opens the log: its own, or that of a cluster.
func (f *serveFlags) join(ctx context.Context, logger *slog.Logger) (*jet.Log, error) {
	f.config.Shared = f.cluster.URL != ""
	if !f.config.Shared {
		return jet.Open(ctx, filepath.Join(f.data, "log"), logger)
	}
	if err := os.MkdirAll(f.data, 0o750); err != nil {
		return nil, fmt.Errorf("making the folder of the list: %w", err)
	}
	l, err := jet.Join(ctx, f.cluster, logger)
	if err != nil {
		return nil, err
	}
	f.config.Peers = l
	return l, nil
}
