// Package local answers the requests of the pages without a server: what it takes to replay games,
// analyse and review them, solve puzzles and play against an engine. It is the same code as the
// server's, compiled to WebAssembly by web/wasm, and answers with the same JSON (package wire).
//
// Start with [New] and [Service.Answer].
package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"quintet/bots"
	"quintet/bots/othello/book"
	"quintet/game"
	"quintet/games"
	"quintet/web/wire"
)

// Statuses of answers, as in HTTP.
const (
	ok      = 200
	invalid = 400
	missing = 404
	illegal = 422
	failed  = 500
)

// Service answers requests. It is safe for concurrent use.
type Service struct {
	now     func() time.Time
	pause   func()
	puzzles map[string]func() *wire.PuzzleSet
	book    func() (*book.Book, error) // of Othello
	cache   *bots.Cache
}

// New returns a Service. Searches call pause now and then, if it is not nil, so that others can run.
func New(now func() time.Time, pause func()) *Service {
	s := &Service{now, pause, map[string]func() *wire.PuzzleSet{}, sync.OnceValues(book.Embedded), bots.NewCache()}
	for _, g := range games.All() {
		s.puzzles[g.Name] = sync.OnceValue(func() *wire.PuzzleSet { return wire.ReadPuzzles(g.Name) })
	}
	return s
}

// Request is a request of a page.
type Request struct {
	Method, Path string // the path with its query
	Body         []byte // JSON
}

// problem is an answer that says what is wrong with a request, as the server's do.
type problem struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Field  string `json:"field,omitempty"`
	Text   string `json:"error"`

	status int
}

func (p *problem) Error() string { return p.Text }

func wrong(field string, err error) error {
	return &problem{"invalid", field, field, err.Error(), invalid}
}

// Answer answers a request: send is called with the JSON of each line of the answer, of which most
// have one. It returns an HTTP status. Cancelling ctx ends a search.
func (s *Service) Answer(ctx context.Context, r Request, send func([]byte)) (status int) {
	err := s.answer(ctx, r, func(v any) error {
		data, err := json.Marshal(v)
		if err == nil {
			send(data)
		}
		return err
	})
	var p *problem
	switch {
	case err == nil:
		return ok
	case !errors.As(err, &p):
		p = &problem{"internal", "internal", "", err.Error(), failed}
	}
	data, _ := json.Marshal(p) // strings
	send(data)
	return p.status
}

func (s *Service) answer(ctx context.Context, r Request, send func(any) error) error {
	path, query, _ := strings.Cut(r.Path, "?")
	switch r.Method + " " + path {
	case "GET /api/puzzles/today":
		return send(wire.DailyAt(s.now(), s.set))
	case "GET /api/puzzles":
		return byGame(query, func(name string) error { return send(s.set(name)) })
	case "GET /api/lessons":
		return byGame(query, func(name string) error { return send(map[string]any{"game": name, "steps": wire.ReadLessons(name)}) })
	case "POST /api/replay":
		return read(r, func(q *replayQuestion) error { return q.answer(send) })
	case "POST /api/analysis/position":
		return read(r, func(q *Line) error { return s.position(q, send) })
	case "POST /api/analysis/lines":
		return read(r, func(q *linesQuestion) error { return s.lines(ctx, q, send) })
	case "POST /engine/move":
		return read(r, func(q *moveQuestion) error { return s.move(ctx, q, send) })
	case "POST /engine/review":
		return read(r, func(q *Line) error { return s.review(ctx, q, send) })
	case "POST /engine/try":
		return read(r, func(q *tryQuestion) error { return s.try(ctx, q, send) })
	case "POST /engine/record":
		return read(r, func(q *recordQuestion) error { return q.answer(send) })
	}
	if id, is := strings.CutPrefix(path, "/api/puzzles/"); is && r.Method == "GET" { //nolint:usestdlibvars // net/http would be compiled for the page
		return s.puzzle(id, send)
	}
	return &problem{"missing", "missing", "", fmt.Sprintf("%.20s %.200s is not available offline", r.Method, r.Path), missing}
}

// read reads the body of a request.
func read[T any](r Request, answer func(*T) error) error {
	q := new(T)
	if err := json.Unmarshal(r.Body, q); err != nil {
		return wrong("body", fmt.Errorf("reading a request: %w", err))
	}
	return answer(q)
}

func byGame(query string, answer func(name string) error) error {
	g, err := games.ByName(strings.TrimPrefix(query, "game="))
	if err != nil {
		return wrong("game", err)
	}
	return answer(g.Name)
}

// set returns the puzzles of a game.
func (s *Service) set(game string) *wire.PuzzleSet { return s.puzzles[game]() }

func (s *Service) puzzle(id string, send func(any) error) error {
	name, _, _ := strings.Cut(id, "-")
	if g, err := games.ByName(name); err == nil {
		if p, ok := s.set(g.Name).ByID[id]; ok {
			return send(p)
		}
	}
	return &problem{"missing", "puzzle", "", fmt.Sprintf("there is no puzzle %q", id), missing}
}

// Line is a line of moves from a position, or from the start position of the options.
type Line struct {
	Game     string     `json:"game"`
	Options  game.Setup `json:"options"`
	Position string     `json:"position"`
	Moves    []string   `json:"moves"`
}

// match plays the line through.
func (l *Line) match() (*game.Match, error) {
	g, err := games.ByName(l.Game)
	if err != nil {
		return nil, wrong("game", err)
	}
	m, err := l.begin(g)
	if err != nil {
		return nil, err
	}
	for _, text := range l.Moves {
		if err := m.PlayText(text); err != nil {
			return nil, &problem{"illegal", "replay", "moves", err.Error(), illegal}
		}
	}
	return m, nil
}

func (l *Line) begin(g game.Game) (*game.Match, error) {
	if l.Position == "" {
		p, err := g.Start(l.Options)
		if err != nil {
			return nil, wrong("options", err)
		}
		return game.NewMatch(g, p), nil
	}
	p, err := g.Read(l.Position)
	if err != nil {
		return nil, wrong("position", err)
	}
	return game.NewMatch(g, p), nil
}

// replayQuestion is a game to play through.
type replayQuestion struct {
	Line
	List bool `json:"list"` // list the legal moves at the end
}

func (q *replayQuestion) answer(send func(any) error) error {
	m, err := q.match()
	if err != nil {
		return err
	}
	return send(wire.ReplayOf(m, q.List))
}

func (s *Service) position(q *Line, send func(any) error) error {
	m, err := q.match()
	if err != nil {
		return err
	}
	v := wire.PositionOf(m, m.Game().SetupAt(m.Start(), q.Options))
	if m.Game().Name == "othello" && !m.Over() {
		b, err := s.book()
		if err != nil {
			return err
		}
		v.Book = wire.BookMovesOf(b, m.Position())
	}
	return send(v)
}
