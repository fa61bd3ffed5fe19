// Package serve is the server of live play: an HTTP interface to the tables of
// package live, for browsers, bots and scripts.
//
// Start with New, which takes a live.Log and a Config, and Server.Run. Every change is on
// disk before it is acknowledged and announced to watchers. A single process needs nothing
// else. Several processes can share a log: each decides commands on its own, because the
// log accepts only one event per position.
//
// Each subject of the interface has a folder: play, studies, reviews, analysis, puzzles, accounts,
// classes, tournaments. All have a Service, and the same kinds of files as far as they need them:
// routes.go lists the requests, commands.go has those that change something, view.go the JSON, and
// stream.go what clients follow. Package api has what they share.
//
// See docs/api.md for the API and docs/operations.md for operation.
package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote/pipe"
	"quintet/game"
	"quintet/live"
	"quintet/live/index"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
	"quintet/serve/classes"
	"quintet/serve/clock"
	"quintet/serve/hall"
	"quintet/serve/jobs"
	"quintet/serve/play"
	"quintet/serve/push"
	"quintet/serve/reviews"
	"quintet/serve/studies"
	"quintet/serve/tournaments"
	"quintet/web"
)

// Rate is a limit of requests.
type Rate = api.Rate

// Config configures a server. Zero fields mean the defaults.
type Config struct {
	Log    *slog.Logger     // discards if nil
	Now    func() time.Time // time.Now if nil
	Random io.Reader        // source of identifiers and secrets; crypto/rand if nil

	Shared   bool               // other servers also write to the log
	Peers    clock.Peers        // the other servers; nil only for the first server, whose clock continues from the last heartbeat at once
	Presence hall.PresencePeers // the other servers, to exchange which players are connected; nil if there are none
	Index    string             // file of the index of games; in memory if ""

	Engines       int           // concurrent engine searches; 1 if 0
	OpenRetention time.Duration // games that never began are aborted after this time without an event; 30 days if 0, never if negative
	IdleRetention time.Duration // in games without a clock, the side to move loses after this time without an event, 7 days at least; 60 days if 0, never if negative

	EngineQueue int           // engine moves that may wait; EngineQueue if 0
	EngineTime  time.Duration // maximum time per engine move; 1 s if 0
	EnginePace  time.Duration // minimum time between moves when engines play each other; 300 ms if 0

	Hold  time.Duration // how long clocks stay stopped after a start or an outage of a shared log, while players reconnect; 5 s if 0, none if negative
	Drain time.Duration // how long pending requests may take when the server stops, and then the engines of a cluster; 10 s if 0, none if negative

	CreateRate, MoveRate, RequestRate Rate // new games per address, commands per seat, requests per address
	AccountRate, PasswordRate         Rate // new accounts and sign-ins per address
	DiskRate                          Rate // bytes that an address may have stored
	MaxConns                          int  // connections per address; open WebSockets and event streams of one; unlimited if 0
	MaxJobs                           int  // reviews and analyses per address in the queue; 8 if 0
	TrustProxy                        bool // the client's address is the last one in X-Forwarded-For
	Processors                        int  // of the machine; 0 for GOMAXPROCS

	Workers Workers // search on other machines; nil for none

	// EngineProcess, if not nil, searches for reviews and analyses. The caller closes it after the
	// server. If nil, a thread of this process with the lowest priority searches: then games
	// wait for it on a machine that is busy with other programs.
	EngineProcess *pipe.Process

	PushClient *http.Client // delivers Web Push; push.PublicClient if nil

	PlatformClient   *http.Client // talks to learning platforms; push.PublicClient if nil
	PrivatePlatforms bool         // learning platforms may have private addresses

	Judge      classes.Judge // judges submissions of classes, in a sandbox; nil if the server does not judge
	Judges     int           // submissions judged at the same time; 1 if 0
	AnyTeacher bool          // everybody with an account may make a class

	Hosts []string // accepted names in the Host header, besides IP addresses and localhost; all if nil

	damaged   live.Log                                                              // the log without quotas
	newPlayer func(name string, g game.Game, o bots.Options) (engine.Player, error) // set by tests; bots.NewPlayer if nil
	newSite   func(web.FindGame, func(*http.Request) string) (*web.Site, error)     // set by tests; web.New if nil
}

// EngineQueue is the default of Config.EngineQueue.
const EngineQueue = 1000

// Times after which games are ended that their players have left.
const (
	OpenRetention = 30 * 24 * time.Hour // default for games that never began
	IdleRetention = 60 * 24 * time.Hour // default for games without a clock
)

func (c Config) filled() Config {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.newSite == nil {
		c.newSite = web.New
	}
	c.Engines, c.Judges = cmp.Or(c.Engines, 1), cmp.Or(c.Judges, 1)
	c.EngineQueue = cmp.Or(c.EngineQueue, EngineQueue)
	c.EngineTime = orTime(c.EngineTime, time.Second)
	c.EnginePace = orTime(c.EnginePace, 300*time.Millisecond)
	c.Hold = orTime(c.Hold, 5*time.Second)
	c.Drain = orTime(c.Drain, 10*time.Second)
	c.OpenRetention = orTime(c.OpenRetention, OpenRetention)
	c.IdleRetention = orTime(c.IdleRetention, IdleRetention)
	return c
}

// orTime returns d, other if d is 0, or 0 if d is negative.
func orTime(d, other time.Duration) time.Duration { return max(cmp.Or(d, other), 0) }

// Server is a server on a log.
type Server struct {
	*api.Base

	config  Config
	log     live.Log
	clock   *clock.Clock // shared with the hall
	hall    *hall.Hall
	index   *index.Index
	last    uint64 // the log's last event when the server was created
	games   *play.Service
	cache   *bots.Cache // of all engines
	jobs    *jobs.Queue // of reviews and analyses
	reviews *reviews.Store
	people  *people.Store
	rosters *class.Directory
	classes *classes.Service
	tours   *tournaments.Service
	lobby   *tournaments.Directory
	pushKey push.Key
	push    *push.Sender
	studies studies.Store
	routes  api.Routes // of all subjects
	handler http.Handler

	background
}

// New returns a server on a log. The caller keeps ownership of the log. Start starts the
// server and Close stops it.
func New(ctx context.Context, l live.Log, c Config) (s *Server, err error) {
	c = c.filled()
	last, err := l.Last(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	secret, err := serverSecret(ctx, l, c)
	if err != nil {
		return nil, err
	}
	key, err := pushKey(ctx, l, c)
	if err != nil {
		return nil, err
	}
	x, err := openIndex(ctx, c, last)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close())
		}
	}()
	c.damaged = l
	s = &Server{config: c, index: x, last: last, cache: bots.NewCache(), pushKey: key}
	if s.people, err = people.Open(ctx, l, c.Now, c.Log); err != nil {
		return nil, err
	}
	if s.rosters, err = class.Open(ctx, l, c.Log); err != nil {
		return nil, err
	}
	if s.lobby, err = tournaments.Open(ctx, l, c.Log); err != nil {
		return nil, err
	}
	s.Base = api.New(api.Config{
		Log: c.Log, Now: c.Now, Random: c.Random, Secret: secret, People: s.people, TrustProxy: c.TrustProxy, Processors: c.Processors, Spawn: s.spawn, Member: s.member,
		Creates: c.CreateRate, Moves: c.MoveRate, Requests: c.RequestRate, Disk: c.DiskRate, Accounts: c.AccountRate, Passwords: c.PasswordRate, MaxConns: c.MaxConns,
	})
	s.log = api.QuotaLog{Log: l, Base: s.Base}
	if err := s.openHall(ctx); err != nil {
		return nil, err
	}
	s.addGauges()
	if s.handler, err = s.newHandler(); err != nil {
		return nil, err
	}
	return s, nil
}

// openIndex opens the list of games, or makes it again if it is ahead of the log of a cluster, which decides.
func openIndex(ctx context.Context, c Config, last uint64) (*index.Index, error) {
	x, err := index.Open(ctx, c.Index, last, c.Log)
	if c.Shared && errors.Is(err, index.ErrAhead) {
		c.Log.Warn("rebuilding the list of games", "error", err)
		if err = index.Remove(c.Index); err == nil {
			x, err = index.Open(ctx, c.Index, last, c.Log)
		}
	}
	return x, err
}

// openHall creates the hall and its clock, which continues from the last heartbeat in the
// log.
func (s *Server) openHall(ctx context.Context) error {
	c := s.config
	heartbeat, err := s.log.LastHeartbeat(ctx)
	if err != nil {
		return fmt.Errorf("reading the service time: %w", err)
	}
	name := ""
	if c.Shared {
		if name, err = s.NewID(""); err != nil {
			return err
		}
	}
	s.clock = clock.New(clock.Config{Hold: c.Hold, Shared: c.Shared, Name: name, Peers: c.Peers}, heartbeat, c.Now())
	s.hall, err = hall.New(ctx, hall.Config{
		Log: s.log, Clock: s.clock, Now: c.Now, Logger: c.Log, Metrics: s.Count, Encoder: play.Encoder{},
		Engines: c.Engines, EngineQueue: c.EngineQueue, EngineTime: c.EngineTime, EnginePace: c.EnginePace,
		Shared: c.Shared, Peers: c.Peers != nil, Presence: c.Presence, Name: name, NewPlayer: c.newPlayer,
		Cache: s.cache, Elsewhere: s.moveElsewhere(), NameOf: s.people.NameOf, Vacations: s.people,
	})
	if err == nil {
		s.openSubjects(name)
	}
	return err
}

// Start starts the server's background work. Close stops it.
func (s *Server) Start(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(ctx)
	s.hall.Start(ctx)
	loop := func(task string, f func()) { s.hall.Loop(ctx, &s.all, task, f) }
	loop("following the accounts", func() { s.people.Run(ctx, s.accountChanged) })
	loop("following the classes", func() { s.rosters.Run(ctx) })
	loop("following the log", func() { s.follow(ctx) })
	loop("watching what follows the log", func() { s.watch(ctx) })
	loop("revealing games", func() { s.reveal(ctx) })
	s.games.Start(ctx, loop)
	s.push.Start(ctx, loop)
	loop("engine work", func() { s.workEngines(ctx) })
	s.startClasses(ctx)
	s.startTournaments(ctx)
}

// follow tells everybody who listens what is written to the log from the start of the server
// on, until the context ends. No listener waits for another, or for the disk.
func (s *Server) follow(ctx context.Context) {
	after := s.last
	for ; ctx.Err() == nil; clock.Sleep(ctx, time.Second) {
		for e, err := range s.log.Follow(ctx, after) {
			if err != nil {
				s.Log.Error("following the log", "error", err)
				s.Lag.Failed("the follower of the log")
				break
			}
			s.hall.Deliver(ctx, e)
			if e.Stream == live.ModerationStream {
				s.moderate(e)
			}
			s.reviews.Deliver(e)
			s.studies.Deliver(e)
			s.classes.Deliver(e)
			s.tours.Deliver(e)
			s.games.Deliver(e)
			after = e.Seq
			s.Lag.Reached("the follower of the log", after)
		}
	}
}

// lagTick is how often a server checks whether its parts that follow the log are behind it. At every
// checkpointEvery-th tick it also checks and checkpoints the index.
const (
	lagTick         = 5 * time.Second
	checkpointEvery = 12
)

// watch checks the parts that follow the log, and the index, until the context ends.
func (s *Server) watch(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if last, err := s.log.Last(ctx); err == nil {
			s.Lag.Tick(last)
		}
		if n%checkpointEvery == 0 {
			if err := s.index.Checkpoint(ctx); err != nil && ctx.Err() == nil {
				s.Log.Error("the list of games is not checkpointed", "error", err)
			}
		}
		clock.Sleep(ctx, lagTick)
	}
}

// Close stops the background work.
func (s *Server) Close() error {
	if s.cancel != nil {
		s.cancel()
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.hall.Close()
	s.all.Wait()
	s.jobs.Close()
	return s.index.Close()
}

// Handler returns the HTTP handler.
func (s *Server) Handler() http.Handler { return s.handler }

// Limits of a connection.
const (
	headerTime = 5 * time.Second // to send the headers of a request
	idleTime   = 2 * time.Minute // between requests
	maxHeader  = 16 << 10        // bytes
)

// Run starts the server and answers requests on a listener until the context ends. It then
// waits for requests in progress, see Config.Drain.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	s.Start(context.WithoutCancel(ctx))
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	s.hall.Spawn("serving", func() { failed <- server.Serve(s.limitConns(l)) })
	select {
	case err := <-failed:
		return errors.Join(fmt.Errorf("serving: %w", err), s.Close())
	case <-ctx.Done():
	}
	s.config.Log.Info("stopping: waiting for requests in progress")
	s.Ready.Store(false)
	close(s.Stopping) // disconnects watchers, which reconnect to another server
	err := s.shutDown(ctx, server)
	if s.config.Shared {
		s.drainEngines(ctx) // engines that are thinking finish their moves
	}
	if why := <-failed; !errors.Is(why, http.ErrServerClosed) {
		err = errors.Join(err, why)
	}
	err = errors.Join(err, s.Close())
	s.config.Log.Info("stopped")
	return err
}

// shutDown waits for pending requests, and cuts off those that are still there after
// Config.Drain: a client that neither sends nor reads must not block the shutdown.
func (s *Server) shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	err := server.Shutdown(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	s.config.Log.Warn("cutting off pending requests", "within", max(s.config.Drain, 0))
	return server.Close()
}

// drainEngines waits for engines that are thinking, so that no other server must take
// over their moves. It has a timeout of its own, since requests may have used all of
// theirs.
func (s *Server) drainEngines(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	s.hall.DrainEngines(ctx)
}
