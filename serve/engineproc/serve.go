package engineproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// maxSessions bounds the memory of the engine process: a session takes 10 MB, in Othello 22 MB.
// The queue of engine work needs at most 16.
const maxSessions = 32

// Serve is the engine process: it searches what requests on in ask for, until in ends.
// build identifies the build of the program.
func Serve(ctx context.Context, in io.Reader, out io.Writer, build string) error {
	cache := bots.NewCache()
	return serve(ctx, in, out, build, func(g game.Game, megabytes int) (engine.Searcher, error) {
		return bots.Searcher(g, bots.Options{Megabytes: megabytes, Cache: cache})
	})
}

// newSearcher makes the searcher of a session.
type newSearcher func(g game.Game, megabytes int) (engine.Searcher, error)

func serve(ctx context.Context, in io.Reader, out io.Writer, build string, searcher newSearcher) error {
	ctx, cancel := context.WithCancel(ctx)
	w := &worker{out: out, searcher: searcher, sessions: map[uint64]*session{}}
	defer w.all.Wait()
	defer cancel()
	defer w.releaseAll()
	if err := w.write(reply{Build: build}); err != nil {
		return err
	}
	return readMessages(in, func(r request) error { return w.handle(ctx, r) })
}

// worker is the state of the engine process.
type worker struct {
	searcher newSearcher
	sessions map[uint64]*session // belongs to the goroutine that reads requests
	all      sync.WaitGroup      // the sessions

	mu  sync.Mutex // guards out
	out io.Writer
}

// session is a searcher with a goroutine.
type session struct {
	worker   *worker
	searches chan *search // in order
	latest   *search      // belongs to the goroutine that reads requests
	searcher engine.Searcher
}

// search is a search of a session.
type search struct {
	request
	ctx    context.Context //nolint:containedctx // ends at doRelease
	cancel context.CancelFunc
	resume chan time.Duration // takes a slice
}

// handle handles a request. An error is a fault of the server, and ends the engine process.
func (w *worker) handle(ctx context.Context, r request) error {
	s := w.sessions[r.Session]
	switch {
	case r.Do == doSearch:
		return w.begin(ctx, r)
	case s == nil: // it was refused
	case r.Do == doRelease:
		w.release(r.Session)
	case r.Do == doResume:
		select {
		case s.latest.resume <- r.Slice:
		default:
			return errors.New("a request to resume a search that is not parked")
		}
	default:
		return fmt.Errorf("a request to %.20q: expected search, resume or release", r.Do)
	}
	return nil
}

// begin gives a search to its session, which it opens if there is none.
func (w *worker) begin(ctx context.Context, r request) error {
	if r.Job == nil {
		return errors.New("a request to search without a position")
	}
	s := w.sessions[r.Session]
	if s == nil {
		if len(w.sessions) >= maxSessions {
			return w.write(reply{Search: r.Search, Error: fmt.Sprintf("%d searches keep their tables: expected fewer", maxSessions)})
		}
		s = &session{worker: w, searches: make(chan *search, 1)}
		w.sessions[r.Session] = s
		w.all.Go(s.run)
	}
	x := &search{request: r, resume: make(chan time.Duration, 1)}
	x.ctx, x.cancel = context.WithCancel(ctx)
	s.latest = x
	select {
	case s.searches <- x:
	default:
		return errors.New("requests for too many searches of a session at once")
	}
	return nil
}

func (w *worker) release(id uint64) {
	s := w.sessions[id]
	delete(w.sessions, id)
	s.latest.cancel()
	close(s.searches)
}

func (w *worker) releaseAll() {
	for id := range w.sessions {
		w.release(id)
	}
}

// write writes a message.
func (w *worker) write(r reply) error {
	data, err := encode(r)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err = w.out.Write(data); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

// run runs the searches of a session.
func (s *session) run() {
	for x := range s.searches {
		r := s.answer(x)
		if r.Search = x.Search; x.ctx.Err() == nil {
			_ = s.worker.write(r) // if the server is gone, the input ends, too
		}
		x.cancel()
	}
}

// answer searches, and returns the answer.
func (s *session) answer(x *search) (r reply) {
	defer func() {
		if v := recover(); v != nil {
			r = reply{Panic: fmt.Sprintf("%v\n%s", v, debug.Stack())}
			s.searcher = nil // its tables may be inconsistent
		}
	}()
	line, err := s.search(x)
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Line: &line}
}

func (s *session) search(x *search) (line engine.Line, err error) {
	j := x.Job
	g, err := games.ByName(j.Game)
	if err != nil {
		return line, err
	}
	at, err := g.Read(j.Position)
	if err != nil {
		return line, fmt.Errorf("reading a position to search: %w", err)
	}
	if s.searcher == nil {
		if s.searcher, err = s.worker.searcher(g, j.Megabytes); err != nil {
			return line, err
		}
	} else if j.Reset {
		s.searcher.Reset()
	}
	ctx, cancel := context.WithCancel(x.ctx)
	defer cancel()
	p := newPacer(s.worker, x, cancel)
	root := engine.Position{Position: at, History: j.History, Repeat: g.Repeat, Skip: j.Skip}
	return s.searcher.Search(ctx, root, engine.Limit{Depth: j.Depth, Nodes: j.Nodes, Pacer: p}, nil), nil
}
