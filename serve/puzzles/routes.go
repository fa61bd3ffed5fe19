// Package puzzles shows the puzzles and lessons that come with Quintet by HTTP.
package puzzles

import (
	"net/http"
	"strings"
	"sync"

	"quintet/games"
	"quintet/serve/api"
	"quintet/web"
	"quintet/web/wire"
)

// Service answers the requests about puzzles and lessons. It reads those of a game when they
// are first asked for, and keeps them. They are embedded and tested: one that cannot be read
// is a fault of the program, and panics.
type Service struct {
	*api.Base

	puzzles map[string]func() *wire.PuzzleSet
	lessons map[string]func() []wire.LessonStep
}

// NewService returns a Service.
func NewService(b *api.Base) *Service {
	s := &Service{b, map[string]func() *wire.PuzzleSet{}, map[string]func() []wire.LessonStep{}}
	for _, g := range games.All() {
		s.puzzles[g.Name] = sync.OnceValue(func() *wire.PuzzleSet { return wire.ReadPuzzles(g.Name) })
		s.lessons[g.Name] = sync.OnceValue(func() []wire.LessonStep { return wire.ReadLessons(g.Name) })
	}
	return s
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	return api.Routes{
		"GET /api/puzzles":       web.Compress(s.Handle(s.list)),
		"GET /api/puzzles/today": web.Compress(s.Handle(s.today)),
		"GET /api/puzzles/{id}":  web.Compress(s.Handle(s.show)),
		"GET /api/lessons":       web.Compress(s.Handle(s.listLessons)),
	}
}

// requestedGame returns the game of a request that names it, and nothing else.
func requestedGame(r *http.Request) (string, error) {
	q, err := api.Parameters(r, "game")
	if err != nil {
		return "", err
	}
	g, err := games.ByName(q.Get("game"))
	if err != nil {
		return "", api.Invalid("game", "%v", err)
	}
	return g.Name, nil
}

// list lists the puzzles of a game.
func (s *Service) list(w http.ResponseWriter, r *http.Request) error {
	name, err := requestedGame(r)
	if err != nil {
		return err
	}
	return s.OK(w, s.puzzles[name]())
}

// show shows a puzzle with its solution.
func (s *Service) show(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	name, _, _ := strings.Cut(id, "-")
	if read, ok := s.puzzles[name]; ok {
		if p, ok := read().ByID[id]; ok {
			return s.OK(w, p)
		}
	}
	return api.Problemf(http.StatusNotFound, "missing", "there is no puzzle %q", id).WithReason("puzzle")
}

// listLessons lists the steps of the lessons of a game.
func (s *Service) listLessons(w http.ResponseWriter, r *http.Request) error {
	name, err := requestedGame(r)
	if err != nil {
		return err
	}
	return s.OK(w, map[string]any{"game": name, "steps": s.lessons[name]()})
}
