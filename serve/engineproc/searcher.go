package engineproc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Pacer is an engine.Pacer that says how long a search should run before it calls Yield. A
// search is not suspended for any other.
type Pacer interface {
	engine.Pacer

	// Left returns the time until a call of Yield suspends the search.
	Left() time.Duration
}

// Searcher searches in the engine process. It implements engine.Remote. One goroutine may
// use it at a time.
type Searcher struct {
	process   *Process
	game      game.Game
	megabytes int

	reset   bool   // the next search begins with empty tables
	child   *child // that has a session; nil if none has
	session uint64
	err     error
}

// Reset implements engine.Searcher.
func (s *Searcher) Reset() { s.reset = true }

// Err implements engine.Remote.
func (s *Searcher) Err() error { return s.err }

// Release implements engine.Remote.
func (s *Searcher) Release() {
	if s.child != nil {
		_ = s.child.send(request{Do: doRelease, Session: s.session}) // it has no position, so it can be encoded
		s.child = nil
	}
}

// maxTries is how many engine processes may end during a search before it fails: perhaps it
// is the reason.
const maxTries = 3

// hangTime is how long a running search may be silent before the engine process is killed.
// It tells something every second of running, and searches every few milliseconds could, but
// a machine that is busy with other programs leaves it only a few thousandths of a processor.
const hangTime = 5 * time.Minute

// errEnded is the error of a search whose engine process has ended.
var errEnded = errors.New("the engine process ended during the search")

// Search implements engine.Searcher. Limit.Time counts processor time, where the system
// measures it, and there is no report and no clock. When the context ends, it returns the
// zero Line at once, without waiting for the engine process, and releases the session.
func (s *Searcher) Search(ctx context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) (line engine.Line) {
	s.err = nil
	for died := 0; ; {
		x, err := s.begin(ctx, p, l)
		if err == nil {
			line, err = x.follow(ctx)
		}
		switch {
		case err == nil:
			return line
		case ctx.Err() != nil:
			s.Release()
			return line
		case errors.Is(err, errParked): // the search is not the reason
		case errors.Is(err, errEnded) && died+1 < maxTries:
			died++
		default:
			s.err = fmt.Errorf("searching in the engine process: %w", err)
			return line
		}
	}
}

// remoteSearch is a search that the engine process has begun.
type remoteSearch struct {
	*waiter
	child    *child
	request  request
	pacer    Pacer // nil for none
	hangTime time.Duration
}

// begin sends a search to the engine process.
func (s *Searcher) begin(ctx context.Context, p engine.Position, l engine.Limit) (*remoteSearch, error) {
	c, err := s.process.connect(ctx)
	if err != nil {
		return nil, err
	}
	if s.child != c {
		s.child, s.session = c, s.process.numbers.Add(1)
	}
	x := &remoteSearch{child: c, hangTime: s.process.hangTime, request: request{Do: doSearch, Session: s.session, Search: s.process.numbers.Add(1)}}
	x.pacer, _ = l.Pacer.(Pacer)
	r := x.request
	r.Slice = x.slice()
	r.Job = &job{
		Game: s.game.Name, Megabytes: s.megabytes, Position: p.String(), History: p.History, Skip: p.Skip,
		Depth: l.Depth, Nodes: l.Nodes, Time: l.Time, Reset: s.reset,
	}
	x.waiter = c.wait(r.Search)
	if err := c.send(r); err != nil {
		c.forget(r.Search)
		return nil, err
	}
	s.reset = false
	return x, nil
}

// slice returns how long the search may run before it parks; 0 for no limit.
func (x *remoteSearch) slice() time.Duration {
	if x.pacer == nil {
		return 0
	}
	return max(x.pacer.Left(), time.Nanosecond)
}

// errParked is errEnded while the search was suspended.
var errParked = errors.New("the engine process ended while the search was suspended")

// follow waits for the line.
func (x *remoteSearch) follow(ctx context.Context) (line engine.Line, err error) {
	defer x.child.forget(x.request.Search)
	for {
		r, err := x.next(ctx)
		switch {
		case err != nil:
			return line, err
		case r.Line != nil:
			return *r.Line, nil
		case r.Error != "":
			return line, errors.New(r.Error)
		case r.Panic != "":
			panic(r.Panic) // as if it had searched here
		case r.Parked:
			if err := x.suspend(ctx); err != nil {
				return line, err
			}
		}
	}
}

// next waits for the next reply.
func (x *remoteSearch) next(ctx context.Context) (r reply, err error) {
	hung := time.NewTimer(x.hangTime)
	defer hung.Stop()
	select {
	case r = <-x.replies:
		return r, nil
	case <-x.child.done:
		return r, errEnded
	case <-ctx.Done():
		return r, ctx.Err()
	case <-hung.C:
		x.child.kill(fmt.Errorf("it has said nothing of a search for %s", x.hangTime))
		return r, errEnded
	}
}

// suspend lets the pacer suspend the search, and resumes it.
func (x *remoteSearch) suspend(ctx context.Context) error {
	x.pacer.Yield()
	select {
	case <-x.child.done:
		return errParked
	default:
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := x.request
	r.Do, r.Slice = doResume, x.slice()
	return x.child.send(r)
}
