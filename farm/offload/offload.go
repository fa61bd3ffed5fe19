// Package offload lets the workers of a farm search positions, analyze them and choose moves
// for a server that can do so itself, too.
//
// Start with [New] and run [Searches.Run]. Nothing blocks for long: while no worker is
// there, or one has failed, callers do not wait for the farm.
package offload

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quintet/engine"
	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	"quintet/game"
)

// Config is how searches are offloaded.
type Config struct {
	Dial  func() (*natsrpc.Conn, error)
	Build func(ctx context.Context) (farm.Build, error) // of this program: that of the farm must be the same
	Name  string                                        // of this process: no other has it
	Table int                                           // size of the transposition table in megabytes
	Log   *slog.Logger
}

// Times of offloading.
const (
	patience    = 2 * time.Second  // that a caller waits for the next line
	checkEvery  = 2 * time.Second  // whether workers are there
	checkTime   = time.Second      // for one such check
	restTime    = 20 * time.Second // after a line that did not come
	removeTime  = 5 * time.Second
	maxSearches = 16 // games at a time
)

// Searches offloads searches. Its methods may be called at the same time.
type Searches struct {
	config Config
	all    sync.WaitGroup

	// Run sets these before there is true.
	ctx   context.Context //nolint:containedctx // of all searches
	conn  *natsrpc.Conn
	build farm.Build

	mu     sync.Mutex // guards the rest
	there  bool       // workers are there
	rest   time.Time  // none is asked before
	active int

	thinker      Thinker
	live         bool      // workers for live games are there
	moves        int       // of live games that workers choose now
	moveRest     time.Time // no worker is asked for a move before
	analyzers    bool      // workers for analyses are there
	noAnalyzers  bool      // the user was told that the workers for live games take no analyses
	analyses     int       // on workers now
	analysisRest time.Time // no worker is asked for an analysis before
}

// New returns a Searches that does nothing until Run.
func New(c Config) *Searches { return &Searches{config: c} }

// Run connects to the farm and sees whether workers are there, until the context ends.
func (s *Searches) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for told := false; ctx.Err() == nil; pause(ctx, checkEvery) {
		if err := s.check(ctx); err != nil && ctx.Err() == nil && !told {
			told = true
			s.config.Log.Warn("the farm is away: this server does its own searches", "reason", err)
		} else if err == nil && told {
			told = false
			s.config.Log.Info("the farm is back")
		}
	}
	s.mu.Lock()
	s.there, s.live, s.analyzers = false, false, false // nothing more begins
	s.mu.Unlock()
	s.all.Wait()
	if s.conn != nil {
		s.conn.Close()
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// check connects, if there is no connection yet, and asks for workers.
func (s *Searches) check(ctx context.Context) error {
	err := s.connect(ctx)
	if err != nil {
		return err
	}
	short, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var workers []scheduler.WorkerView
	err = s.conn.Ask(short, "workers", struct{}{}, &workers)
	if ctx.Err() != nil || err != nil {
		workers = nil
	}
	s.found(workers)
	return err
}

// found notes which workers are there.
func (s *Searches) found(workers []scheduler.WorkerView) {
	slots, live, analyses := 0, 0, 0
	for _, w := range workers {
		slots, live, analyses = slots+w.Slots, live+w.Live, analyses+w.Analyses
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.there, s.live, s.analyzers = slots > 0, live > 0, analyses > 0
	if none := live > 0 && analyses == 0; none && !s.noAnalyzers {
		s.noAnalyzers = true
		s.config.Log.Info("the workers for live games take no analyses: this server does its own; expected workers of this release with --live 2 or more")
	}
}

// connect connects and identifies this program, once. A program's identity takes a
// second to compute, so it comes after the connection.
func (s *Searches) connect(ctx context.Context) (err error) {
	if s.conn == nil {
		if s.conn, err = s.config.Dial(); err != nil {
			return err
		}
	}
	if s.ctx == nil {
		thinking, err := s.conn.Thinking()
		if err != nil {
			return err
		}
		s.thinker = thinking
		if s.build, err = s.config.Build(ctx); err != nil {
			return err
		}
		s.ctx = ctx
	}
	return nil
}

// Begin lets workers search the positions of a game after from moves and more, each to so
// many nodes. It returns at once; ok is false if there are no workers. The caller closes
// the lines.
func (s *Searches) Begin(g game.Game, start game.Position, moves []game.Move, from int, nodes uint64) (l *Lines, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.there || s.active >= maxSearches || time.Now().Before(s.rest) {
		return nil, false
	}
	settings := &jobtypes.SearchSettings{Game: jobtypes.NewReviewGame(g, start, moves), First: from, Nodes: nodes, Table: s.config.Table, Once: s.config.Name}
	ctx, cancel := context.WithCancel(s.ctx)
	l = &Lines{searches: s, cancel: cancel, next: from, match: game.NewMatch(g, start), moves: moves, found: make(chan engine.Line, len(moves)+1)}
	for _, m := range moves[:from] {
		if l.match.Play(m) != nil {
			cancel()
			return nil, false
		}
	}
	s.active++
	conn, build := s.conn, s.build
	s.all.Go(func() {
		defer s.done()
		defer cancel()
		if err := l.run(ctx, conn, build, settings); err != nil && ctx.Err() == nil {
			s.config.Log.Warn("the farm does not search a game", "reason", err)
			s.fail()
		}
	})
	return l, true
}

func (s *Searches) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
}

// fail makes callers do without the farm for a while.
func (s *Searches) fail() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = time.Now().Add(restTime)
}

// Lines are the lines of the positions of a game, as workers find them. They serve one
// caller.
type Lines struct {
	searches *Searches
	cancel   context.CancelFunc
	next     int // moves before the next position
	found    chan engine.Line

	match *game.Match // of the goroutine that reads results
	moves []game.Move
}

// Close gives up what has not been found.
func (l *Lines) Close() { l.cancel() }

// Line returns the line of the position after the given number of moves; positions are asked for in
// order, with gaps. ok is false if no worker has found it within two seconds: the caller
// searches itself then, and closes the lines.
func (l *Lines) Line(ctx context.Context, ply int) (line engine.Line, ok bool) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for l.next <= ply {
		select {
		case line, ok = <-l.found:
		case <-late.C:
			ok = false
			l.searches.fail()
		case <-ctx.Done():
			ok = false
		}
		if !ok {
			return line, false
		}
		l.next++
	}
	return line, ok
}

// run submits a job, reads its results and removes it.
func (l *Lines) run(ctx context.Context, conn *natsrpc.Conn, b farm.Build, settings *jobtypes.SearchSettings) error {
	defer close(l.found)
	s, err := farm.NewSpec(b.Program, jobtypes.SearchName, settings)
	if err != nil {
		return err
	}
	text, id, err := s.Encode()
	if err != nil {
		return err
	}
	if err := conn.Ask(ctx, "submit", farm.SubmitRequest{Build: b, Spec: text, Priority: farm.MaxPriority}, nil); err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTime)
		defer cancel()
		_ = conn.Ask(ctx, "remove", farm.JobRequest{Job: id}, nil) // it stays, finished
	}()
	results := coordinator.Follower{Conn: conn, Job: id}
	for ply := settings.First; ply <= len(l.moves); ply++ {
		payload, err := results.Next(ctx)
		if err != nil {
			return err
		}
		line, err := jobtypes.DecodeLine([]byte(payload), l.match)
		if err != nil {
			return err
		}
		l.found <- line // it has room for all
		if ply < len(l.moves) {
			err = l.match.Play(l.moves[ply])
		}
		if err != nil {
			return errors.New("the game has an illegal move")
		}
	}
	return nil
}
