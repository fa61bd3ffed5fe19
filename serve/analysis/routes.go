package analysis

import (
	"net/http"
	"sync"
	"time"

	"quintet/bots/othello/book"
	"quintet/game"
	"quintet/serve/api"
	"quintet/serve/jobs"
	"quintet/serve/play"
	"quintet/web/wire"
)

// Service answers the requests of analysis boards.
type Service struct {
	*api.Base

	games    *play.Service
	analyzer *Analyzer
	queue    *jobs.Queue
	book     func() (*book.Book, error) // of Othello; loaded when first needed
}

// NewService returns a Service.
func NewService(b *api.Base, games *play.Service, a *Analyzer, q *jobs.Queue) *Service {
	return &Service{b, games, a, q, sync.OnceValues(book.Embedded)}
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	return api.Routes{
		"POST /api/analysis/lines":    s.HandleStream(s.lines),
		"POST /api/analysis/position": s.HandleRendering(s.position),
		"POST /api/replay":            s.HandleRendering(s.replay),
	}
}

// position answers with the position that a line of moves leads to.
func (s *Service) position(w http.ResponseWriter, r *http.Request) error {
	var q api.Line
	if err := api.Read(w, r, api.LineBody, &q); err != nil {
		return err
	}
	return s.Replay(w, r, func() (any, error) { // long lines take time
		m, err := q.Match()
		if err != nil {
			return nil, err
		}
		v := wire.PositionOf(m, q.Settings().Setup())
		v.Book = s.bookMoves(r, m)
		return v, nil
	})
}

// replayRequest is a game to play through.
type replayRequest struct {
	api.Line
	List bool `json:"list"` // list the legal moves at the end
}

// replay answers with the boards of a game.
func (s *Service) replay(w http.ResponseWriter, r *http.Request) error {
	var q replayRequest
	if err := api.Read(w, r, api.LineBody, &q); err != nil {
		return err
	}
	if q.Position != "" {
		q.Options = nil // the position determines them
	}
	return s.Replay(w, r, func() (any, error) { // long games take time
		m, err := q.Match()
		if err != nil {
			return nil, err
		}
		return wire.ReplayOf(m, q.List), nil
	})
}

// linesRequest is a position to search.
type linesRequest struct {
	api.Line
	Lines  *int `json:"lines"`
	Values bool `json:"values"` // of every legal move, in Othello
}

// options returns what the search looks for.
func (q linesRequest) options() (o Options, err error) {
	o = Options{Lines: 1, Values: q.Values}
	if q.Lines != nil {
		o.Lines = *q.Lines
	}
	switch {
	case o.Lines < 1 || o.Lines > MaxLines:
		return o, api.Invalid("lines", "%d lines: expected 1 to %d", o.Lines, MaxLines)
	case q.Values && q.Game != "othello":
		return o, api.Invalid("lines", "values of all moves of %.40q: expected othello, or lines", q.Game).InField("values")
	}
	return o, nil
}

// lines searches a position and streams the best lines: a JSON object on each line, until
// there is nothing more to find or the client leaves.
func (s *Service) lines(w http.ResponseWriter, r *http.Request) error {
	var q linesRequest
	if err := api.Read(w, r, api.LineBody, &q); err != nil {
		return err
	}
	o, err := q.options()
	if err != nil {
		return err
	}
	m, err := s.matchToAnalyze(r, q.Line)
	if err != nil {
		return err
	}
	if m.Over() {
		_ = api.StartStream(w).Line(api.Encode(doneView{true, "over"})) // the client may have left
		return nil
	}
	f := feed{service: s, request: r, match: m, task: s.analyzer.Task(m, o), wrote: time.Now()}
	if f.ticket, err = s.queue.Submit(s.Address(r), f.task); err != nil {
		return err
	}
	defer f.ticket.Cancel()
	return s.Follow(w, r, linesTick, f.send)
}

// matchToAnalyze plays a line through whose position the engine may look at.
func (s *Service) matchToAnalyze(r *http.Request, q api.Line) (*game.Match, error) {
	release, err := s.Acquire(s.Limits.Renders, r) // only while it waits for a slot: the stream that follows may last long
	if err != nil {
		return nil, err
	}
	defer release()
	done, err := s.Slot(r.Context()) // long lines take time
	if err != nil {
		return nil, err
	}
	defer done()
	m, err := q.Match()
	if err != nil {
		return nil, err
	}
	return m, s.games.RefuseLive(r, m)
}
