package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quintet/engine"
)

// Options are how a Searcher searches.
type Options struct {
	Engine json.RawMessage // names the engine to the server

	// Here, if not nil, makes the same engine in this process: it searches when no server is
	// free or one has failed, and everything up to Small nodes.
	Here  func() (engine.Searcher, error)
	Small uint64

	// Once says that each search is for itself: the session ends with it. Otherwise a search
	// that was continued here stays here, where its tables are, until Release.
	Once bool
}

// leastTime is the shortest search that is sent away, if it can be done here: a worker that is
// lost costs more.
const leastTime = 200 * time.Millisecond

// Searcher implements engine.Remote. One goroutine may use it at a time.
type Searcher struct {
	options Options
	there   Transport
	terms   Terms

	here  engine.Searcher // nil until it is needed
	link  Link            // nil without a session
	inbox *inbox
	last  uint64 // number of the last search
	reset bool   // the next search there begins with empty tables
	err   error
}

// New returns a Searcher, which needs no memory anywhere before its first search.
func New(t Transport, o Options) *Searcher {
	return &Searcher{options: o, there: t, terms: t.Terms()}
}

// Reset implements engine.Searcher.
func (s *Searcher) Reset() {
	s.reset = true
	if s.here != nil {
		s.here.Reset()
	}
}

// Err implements engine.Remote.
func (s *Searcher) Err() error {
	if s.err != nil {
		return s.err
	}
	return engine.SearchError(s.here)
}

// Release implements engine.Remote.
func (s *Searcher) Release() {
	s.leave()
	if s.here != nil {
		engine.Release(s.here)
		s.here = nil
	}
}

// Elsewhere implements engine.Remote.
func (s *Searcher) Elsewhere() bool { return s.link != nil && !s.terms.Parks }

// leave ends the session.
func (s *Searcher) leave() {
	if s.link != nil {
		s.link.Close()
		s.link = nil
	}
}

// Search implements engine.Searcher. There is no report of a search elsewhere. When the
// context ends, it returns the zero Line at once, without waiting for the server, and ends the
// session.
func (s *Searcher) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) (line engine.Line) {
	s.err = nil
	if s.staysHere(l) {
		return s.searchHere(ctx, p, l, report)
	}
	began := time.Now()
	line, err := s.searchThere(ctx, p, l)
	if err != nil || s.options.Once {
		s.leave()
	}
	var fault *panicError
	switch {
	case err == nil:
		return line
	case ctx.Err() != nil:
		return engine.Line{}
	case s.options.Here != nil:
		if l.Time > 0 { // somebody waits
			l.Time = max(l.Time-time.Since(began), l.Time/4)
		}
		return s.searchHere(ctx, p, l, report)
	case errors.As(err, &fault):
		panic(fault.text) // as if it had searched here
	}
	s.err = fmt.Errorf("searching elsewhere: %w", err)
	return engine.Line{}
}

// staysHere reports whether a search is not sent away.
func (s *Searcher) staysHere(l engine.Limit) bool {
	if s.options.Here == nil {
		return false
	}
	small := l.Nodes > 0 && l.Nodes <= s.options.Small || l.Time > 0 && l.Time < leastTime
	return small || s.here != nil && !s.options.Once
}

func (s *Searcher) searchHere(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if s.here == nil {
		if s.here, s.err = s.options.Here(); s.err != nil {
			s.here = nil
			return engine.Line{}
		}
	}
	return s.here.Search(ctx, p, l, report)
}

// searchThere searches at a server. If it is lost, the search begins again at another one, as
// often as the terms allow.
func (s *Searcher) searchThere(ctx context.Context, p engine.Position, l engine.Limit) (engine.Line, error) {
	for lost := 0; ; {
		line, err := s.try(ctx, p, l)
		if err == nil || ctx.Err() != nil {
			return line, err
		}
		s.leave()
		switch {
		case errors.Is(err, errLeft): // the search is not the reason
		case isLost(err) && lost+1 < s.terms.Tries:
			lost++
		default:
			return line, err
		}
	}
}

// try searches at one server.
func (s *Searcher) try(ctx context.Context, p engine.Position, l engine.Limit) (line engine.Line, err error) {
	if s.link == nil {
		s.inbox, s.terms = newInbox(), s.there.Terms()
		if s.link, err = s.there.Open(ctx, s.inbox.deliver); err != nil {
			s.link = nil
			return line, err
		}
	}
	s.last++
	s.inbox.expect(s.last)
	x := newSearch(s, l)
	r := Request{Do: Search, Search: s.last, Build: s.terms.Build, Engine: s.options.Engine, Slice: x.parkAfter(), Job: &Job{
		Position: p.String(), History: p.History, Skip: p.Skip, Depth: l.Depth, Nodes: l.Nodes, Time: l.Time, Reset: s.reset,
	}}
	if err := s.link.Send(r); err != nil {
		return line, err
	}
	s.reset = false
	line, err = x.follow(ctx)
	if err == nil {
		err = check(p, line)
	}
	if isLost(err) && !errors.Is(err, errLost) || errors.Is(err, errNonsense) {
		s.link.Fail(err)
	}
	return line, err
}

// isLost reports whether a server has gone or does not go on.
func isLost(err error) bool {
	return errors.Is(err, errLost) || errors.Is(err, errMute) || errors.Is(err, errStuck) || errors.Is(err, errSlow)
}
