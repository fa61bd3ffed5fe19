package remote

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Server searches for clients. Its transport sets Beat, and begins, runs and ends sessions.
type Server struct {
	Build string // of this program: searches of another are refused

	// Open makes the engine of a name, and returns its game.
	Open func(name []byte) (engine.Searcher, game.Game, error)

	Beat time.Duration // how often a running search says so

	// Processor returns the processor time of this process, in which limits of time count then;
	// nil for real time.
	Processor func() time.Duration
}

// ErrReleased is why a session ends that its client has released.
var ErrReleased = errors.New("the client has released the session")

// Session is a searcher with its tables, for one client.
type Session struct {
	server   *Server
	reply    func(Reply)
	ctx      context.Context //nolint:containedctx // of all its searches
	cancel   context.CancelCauseFunc
	searches chan Request       // takes one
	resume   chan time.Duration // takes a slice

	searcher engine.Searcher // this and game belong to Run
	game     game.Game
}

// Begin begins a session, whose replies may come from several goroutines. The caller runs and
// ends it.
func (s *Server) Begin(ctx context.Context, reply func(Reply)) *Session {
	x := &Session{server: s, reply: reply, searches: make(chan Request, 1), resume: make(chan time.Duration, 1)}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	return x
}

// End ends the session. A search in progress is stopped, and answered with the reason unless
// that is ErrReleased.
func (x *Session) End(why error) { x.cancel(why) }

// Run searches what Handle takes until the session ends.
func (x *Session) Run() {
	for x.ctx.Err() == nil {
		select {
		case r := <-x.searches:
			x.answer(r)
		case <-x.ctx.Done():
		}
	}
}

// Handle begins what a request asks for. An error is a fault of the client.
func (x *Session) Handle(r Request) error {
	switch {
	case r.Do == Search && r.Job == nil:
		return errors.New("a request to search without a position")
	case r.Do == Search:
		select {
		case x.searches <- r:
		default:
			return errors.New("requests for too many searches of a session at once")
		}
	case r.Do == Release:
		x.End(ErrReleased)
	case r.Do == Resume:
		select {
		case x.resume <- r.Slice:
		default:
			return errors.New("a request to resume a search that is not parked")
		}
	default:
		return fmt.Errorf("a request to %.20q: expected search, resume or release", r.Do)
	}
	return nil
}

// answer searches, and sends the answer.
func (x *Session) answer(r Request) {
	answer := x.search(r)
	switch cause := context.Cause(x.ctx); {
	case errors.Is(cause, ErrReleased):
		return
	case cause != nil:
		answer = Reply{Error: cause.Error()}
	}
	answer.Search = r.Search
	x.reply(answer)
}

// search searches, and returns the answer.
func (x *Session) search(r Request) (answer Reply) {
	defer func() {
		if v := recover(); v != nil {
			answer = Reply{Panic: fmt.Sprintf("%v\n%s", v, debug.Stack())}
			x.searcher = nil // its tables may be inconsistent
		}
	}()
	p := newPacer(x, r)
	defer p.stop()
	at, err := x.prepare(r)
	if err != nil {
		return Reply{Error: err.Error()}
	}
	line := x.searcher.Search(p.ctx, at, p.limit(), nil)
	return Reply{Line: &line}
}

// prepare makes the engine if there is none, and reads the position.
func (x *Session) prepare(r Request) (at engine.Position, err error) {
	if own := x.server.Build; r.Build != own {
		return at, fmt.Errorf("the search is for build %.100q, but this is build %q: restart the server after an upgrade", r.Build, own)
	}
	if x.searcher == nil {
		if x.searcher, x.game, err = x.server.Open(r.Engine); err != nil {
			x.searcher = nil
			return at, err
		}
	} else if r.Job.Reset {
		x.searcher.Reset()
	}
	at = engine.Position{History: r.Job.History, Repeat: x.game.Repeat, Skip: r.Job.Skip}
	if at.Position, err = x.game.Read(r.Job.Position); err != nil {
		return at, fmt.Errorf("reading a position to search: %w", err)
	}
	return at, nil
}
