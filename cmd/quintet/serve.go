package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/internal/gcpace"
	"quintet/internal/platform"
	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
)

// serveFlags are the flags of quintet serve.
type serveFlags struct {
	addr, data, log string
	debug           bool
	memory          bool
	checkpoint      string // a file
	older           bool   // accept a log that is older than the checkpoint
	cluster         jet.Cluster
	config          serve.Config
	hosts           []string
	limits          bool
	farm, farmKey   string
	classes         classesFlags
}

func newServe() *cobra.Command {
	var f serveFlags
	var ready bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the games to browsers and scripts",
		Long: `Serve lets people and programs play each other and engines, with clocks and
spectators, in a browser or through the API. By default only this machine can connect.
To play over a network, use --addr :8080 and open the page at this machine's network
address: links contain the address at which the page is open.

Every move is on disk before it is acknowledged. An interrupt or SIGTERM stops the
server after requests in progress have finished. Games continue when the server is back;
no clock runs in between.

The environment variable GOGC trades memory for processor time, as in every Go
program. By default garbage is collected when the heap reaches 256 MB, or 1.5 times the
live heap if that is more.

Reviews and analyses run in a second process of this program, which has the lowest
priority and starts with the first of them.
` + natsText + `

See docs/operations.md for operation and docs/api.md for scripts.`,
		Example: `  quintet serve
  quintet serve --addr :8080 --data /var/lib/quintet`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if ready {
				return failed(askReady(c.Context(), f.addr))
			}
			return f.run(c)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&ready, "ready", false, "start no server: ask the one at --addr on this machine whether it is ready, for health checks")
	return c
}

// askReady asks the server at an address on this machine whether it is ready; the error says why not.
func askReady(ctx context.Context, addr string) error {
	const enough = 4 * time.Second // below the usual timeout of a health check
	ctx, cancel := context.WithTimeout(ctx, enough)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("no server answers: %w", err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 1000)) // the status says enough
		return fmt.Errorf("the server is not ready: %s %s", answer.Status, bytes.TrimSpace(text))
	}
	return nil
}

func (f *serveFlags) add(c *cobra.Command) {
	s := c.Flags()
	cli.Address(c, &f.addr, "addr", "127.0.0.1:8080", false, "listen on this `address`; :8080 is port 8080 on all interfaces, port 0 any free port")
	s.StringVar(&f.data, "data", "", "keep the games in this `folder` (default "+shownFolder+")")
	addCluster(c, &f.cluster, "keep the games in three copies in the NATS cluster at this `address`; --data then holds only the index")
	s.StringVar(&f.checkpoint, "checkpoint", "", "keep the number of the last event in this `file`, to notice an older copy of the log (default checkpoint in the folder --data)")
	s.BoolVar(&f.older, "accept-older-log", false, "start on a log that is older than the checkpoint, as after a restore")
	s.BoolVar(&f.memory, "memory", false, "keep the games only in memory: they are lost when the server stops")
	cli.Number(c, &f.config.Engines, "engines", 1, "concurrent engine `searches`; other engine moves wait").Between(1, maxEngines)
	cli.Number(c, &f.config.EngineQueue, "engine-queue", serve.EngineQueue, "engine `moves` that may wait; the server requests further ones again later").Between(1, maxEngineQueue)
	cli.Time(c, &f.config.EngineTime, "engine-time", time.Second, "maximum time per engine move").AtLeast(time.Millisecond)
	cli.Time(c, &f.config.EnginePace, "engine-pace", time.Second, "minimum time between moves when engines play each other")
	cli.Time(c, &f.config.Hold, "hold", 5*time.Second, "how long clocks stay stopped after a start or a cluster outage, so that players can reconnect")
	cli.Time(c, &f.config.Drain, "drain", 10*time.Second, "how long requests in progress may take when the server stops; 0s aborts them")
	cli.Time(c, &f.config.OpenRetention, "open-retention", serve.OpenRetention, "abort games that never started after this long without an event; 0s for never").AtLeast(time.Hour).OrNever()
	cli.Time(c, &f.config.IdleRetention, "idle-retention", serve.IdleRetention, "in games without a clock, let the side to move lose after this long without an event; 0s for never").AtLeast(7 * 24 * time.Hour).OrNever()
	s.StringSliceVar(&f.hosts, "host", nil, "also answer requests for this host `name`, besides IP addresses, localhost, this machine's name and that of --addr; * for any")
	s.BoolVar(&f.config.TrustProxy, "trust-proxy", false, "trust X-Forwarded-For and X-Forwarded-Proto; only behind a proxy that sets them")
	s.BoolVar(&f.limits, "limits", true, "limit the requests of each client; disable only to measure")
	s.StringVar(&f.farm, "farm", "", "let the workers of the farm at this `URL` review games, choose engine moves and analyze positions")
	s.StringVar(&f.farmKey, "farm-key", "", "the client key `file` for the farm (default $"+farmKeyVariable+", or that of a farm on this machine)")
	f.classes.add(c)
	addLog(c, &f.log)
	s.BoolVar(&f.debug, "debug", false, "also log every request")
}

// Limits of flags: more than any machine can do.
const (
	maxEngines     = 1000
	maxEngineQueue = 1_000_000
)

// Limits of each client, listed in docs/operations.md: a burst, and then a rate per second.
const (
	createBurst, createSecond   = 100, 2
	commandBurst, commandSecond = 400, 20
	requestBurst, requestSecond = 3000, 300
	accountBurst                = 60 // a class that signs up together
	accountMinute               = 1
	passwordBurst               = 60
	passwordMinute              = 30
	diskBurst                   = 256 << 20 // bytes: a class of a hundred that plays all day stores less than a quarter
	diskSecond                  = diskBurst / (24 * 60 * 60)
	maxConnections              = 1000 // but at most
	connectionsPart             = 8    // one in so many of the process's file descriptors
)

// addLog adds the flag --log.
func addLog(c *cobra.Command, format *string) {
	cli.Choice(c, format, "log", "text", "write the log as `text or json`, on standard error", "text", "json")
}

// hostNames returns the host names that the server answers to; nil for any.
func (f *serveFlags) hostNames() []string {
	if slices.Contains(f.hosts, "*") {
		return nil
	}
	names := append([]string{}, f.hosts...)
	if host, _, err := net.SplitHostPort(f.addr); err == nil && host != "" {
		names = append(names, host)
	}
	if name, err := os.Hostname(); err == nil && name != "" { // its name in the local network
		first, _, _ := strings.Cut(name, ".")
		names = append(names, name, first, first+".local")
	}
	return names
}

func (f *serveFlags) run(c *cobra.Command) error {
	if !f.memory {
		fromEnvironment(&f.cluster, os.Getenv)
	}
	err := f.check(c)
	if err == nil && !f.memory {
		f.data, err = dataFolder(f.data)
	}
	if err != nil {
		return err
	}
	f.disableZeros()
	level := slog.LevelInfo
	if f.debug {
		level = slog.LevelDebug
	}
	logger := newLogger(c.ErrOrStderr(), f.log, level)
	f.config.Log, f.config.Hosts = logger, f.hostNames()
	if f.limits {
		f.config.CreateRate = serve.Rate{Burst: createBurst, Second: createSecond}
		f.config.MoveRate = serve.Rate{Burst: commandBurst, Second: commandSecond}
		f.config.RequestRate = serve.Rate{Burst: requestBurst, Second: requestSecond}
		f.config.AccountRate = serve.Rate{Burst: accountBurst, Second: accountMinute / 60.0}
		f.config.PasswordRate = serve.Rate{Burst: passwordBurst, Second: passwordMinute / 60.0}
		f.config.DiskRate = serve.Rate{Burst: diskBurst, Second: diskSecond}
		f.config.MaxConns = maxConns()
	} else {
		f.config.MaxJobs = math.MaxInt
	}
	ctx, stop := interruptible(c)
	defer stop()
	defer paceCollector(ctx)()
	processors, restore := spreadThreads()
	defer restore()
	f.config.Processors = processors
	return failed(f.serve(ctx, c.OutOrStdout(), logger))
}

// maxConns returns how many connections a client may hold.
func maxConns() int {
	if all := platform.Descriptors(); all > 0 {
		return max(min(maxConnections, all/connectionsPart), 1)
	}
	return maxConnections
}

// check refuses flags that do not go together.
func (f *serveFlags) check(c *cobra.Command) error {
	if f.memory && (c.Flags().Changed("data") || f.cluster.URL != "") {
		return errors.New("--memory, --data and --nats: give one of them")
	}
	if f.classes.farm && (f.farm == "" || f.classes.judge) {
		return errors.New("--judge-farm needs --farm, and cannot be combined with --judge")
	}
	if f.farm == "" && f.farmKey != "" {
		return errors.New("--farm-key: give --farm with the address of a coordinator, too")
	}
	return checkCluster(f.cluster)
}

// disableZeros turns durations of 0s into -1, because 0 is the server's default.
func (f *serveFlags) disableZeros() {
	for _, d := range []*time.Duration{&f.config.Hold, &f.config.EnginePace, &f.config.Drain, &f.config.OpenRetention, &f.config.IdleRetention} {
		if *d == 0 {
			*d = -1
		}
	}
}

// spareThreads is how many more threads run Go code than there are processors: pictures, animations, replays and hashed
// passwords can each keep one busy, and JetStream blocks one while it syncs. Moves would wait for them.
const spareThreads = 3

// spreadThreads sets how many threads run Go code, unless GOMAXPROCS does, and returns the number of processors.
// From then on, the runtime does not adapt that to changed limits of processor time. The caller calls restore at the end.
func spreadThreads() (processors int, restore func()) {
	processors = runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") != "" {
		return processors, func() {}
	}
	runtime.GOMAXPROCS(processors + spareThreads)
	return processors, func() { runtime.GOMAXPROCS(processors) }
}

// paceCollector sets the garbage collector for a server, unless GOGC does: ten thousand
// spectators hold a lot, so garbage may add half of that; a server with few games
// collects when its heap has 256 MB. The caller calls the function it returns at the end.
func paceCollector(ctx context.Context) (wait func()) {
	const floor, percent = 256 << 20, 50
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var pace sync.WaitGroup
	pace.Go(func() { gcpace.Run(ctx, floor, percent) })
	return func() { cancel(); pace.Wait() }
}

// newLogger returns a logger in the format of the flag --log.
func newLogger(out io.Writer, format string, level slog.Level) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if format == "json" {
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
	defer func() { _ = listener.Close() }() // already closed unless opening the log fails
	if f.config.Judge, err = f.classes.judgeFunc(ctx); err != nil {
		return err
	}
	defer f.classes.close()
	if f.classes.farm {
		j := f.newFarmJudge(logger)
		defer j.client.Close()
		f.config.Judge = j
	}
	f.config.Judges, f.config.AnyTeacher, f.config.PrivatePlatforms = f.classes.judges, f.classes.teachers == "any", f.classes.private
	l, closeLog, err := f.open(ctx, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	defer f.searchElsewhere(ctx, logger)()
	engines := newEngineProcess(logger)
	defer engines.Close()
	f.config.EngineProcess = engines
	s, err := serve.New(ctx, l, f.config)
	if err != nil {
		return err
	}
	endControl, err := f.control(ctx, l, s.Erase, logger)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	defer endControl()
	if err := printURLs(out, listener.Addr(), f.classes.judge || f.classes.farm); err != nil {
		return errors.Join(err, s.Close())
	}
	if !f.memory {
		logger.Info("games are kept", "folder", f.data)
	}
	return s.Run(ctx, listener)
}

// open opens the log and sets the path of its index.
func (f *serveFlags) open(ctx context.Context, logger *slog.Logger) (live.Log, func() error, error) {
	if f.memory {
		return live.NewMemory(), func() error { return nil }, nil
	}
	l, err := f.join(ctx, logger)
	if err != nil {
		return nil, nil, err
	}
	f.config.Index = filepath.Join(f.data, indexName)
	if err := f.track(ctx, l); err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	return l, l.Close, nil
}

// track refuses an older copy of the log.
func (f *serveFlags) track(ctx context.Context, l *jet.Log) error {
	if f.older { // the list has events that the log lacks
		if err := removeIndex(f.data); err != nil {
			return err
		}
	}
	err := l.Track(ctx, cmp.Or(f.checkpoint, filepath.Join(f.data, checkpointName)), f.older)
	if errors.Is(err, jet.ErrOlder) {
		err = fmt.Errorf("%w: to lose the later events, start once with --accept-older-log", err)
	}
	return err
}

// checkpointName is the default checkpoint file in the folder of the games.
const checkpointName = "checkpoint"

// join opens the server's own log, or that of a cluster.
func (f *serveFlags) join(ctx context.Context, logger *slog.Logger) (*jet.Log, error) {
	f.config.Shared = f.cluster.URL != ""
	if !f.config.Shared {
		return jet.Open(ctx, filepath.Join(f.data, "log"), logger)
	}
	if err := os.MkdirAll(f.data, 0o750); err != nil {
		return nil, fmt.Errorf("creating the folder of the index: %w", err)
	}
	l, err := jet.Join(ctx, f.cluster, logger)
	if err != nil {
		return nil, err
	}
	f.config.Peers, f.config.Presence = l, l
	return l, nil
}
