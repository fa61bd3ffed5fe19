package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"quintet/game"
	"quintet/live"
	"quintet/serve/hall"
	"quintet/web"
)

// pages adds the pages of package web and their endpoints besides the games.
func (s *Server) pages(mux *http.ServeMux) (*web.Site, error) {
	site, err := s.config.newSite(s.pageGame, s.Origin)
	if err != nil {
		return nil, fmt.Errorf("the pages: %w", err)
	}
	for _, pattern := range site.Patterns() {
		mux.Handle(pattern, site)
	}
	return site, nil
}

// rejectTooMany rejects a request over a limit, with a page if the client wanted one.
func (s *Server) rejectTooMany(w http.ResponseWriter, r *http.Request, err error, site *web.Site) {
	page := !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/assets/")
	if !page || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.Fail(w, err)
		return
	}
	p := s.Problem(err)
	s.Count.Refused(p.Code)
	site.Busy(w, r, p.After)
}

// person answers with the page of a person at /@NAME, else with the page of what is missing.
func (s *Server) person(site *web.Site) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name, is := strings.CutPrefix(r.URL.Path, "/@")
		if a, ok := s.people.Named(name); is && ok && !s.hall.HidesName(a.Name) {
			site.Person(w, r, a.Name)
			return
		}
		site.Missing(w, r)
	}
}

// pageGame returns the game of a page. The page of a private game does not show it: its
// script fetches it with the key.
func (s *Server) pageGame(_ context.Context, r *http.Request, id string) (web.Game, error) {
	room, seats, err := s.games.Room(r, id)
	if errors.Is(err, hall.ErrMissing) {
		return web.Game{}, fmt.Errorf("%w: %w", err, web.ErrMissing)
	}
	if errors.Is(err, live.ErrBroken) {
		return web.Game{}, fmt.Errorf("%w: %w", err, web.ErrBroken)
	}
	if err != nil { // the log cannot be read, say: whether there is such a game is not known
		return web.Game{}, fmt.Errorf("finding a game: %w", err)
	}
	var g web.Game
	err = room.ViewAs(seats, func(t *live.Table) {
		position := t.Position()
		g = web.Game{
			Kind: t.Game(), Board: position.Board(), Text: position.String(),
			Players: [2]string{t.Player(game.First).Name, t.Player(game.Second).Name},
			Engines: [2]string{t.Player(game.First).Engine, t.Player(game.Second).Engine},
			Turn:    t.Turn(), Plies: t.Ply(), Result: t.Ending().Result, Private: t.Settings().Private || t.Ending().Reason.CalledOff(),
		}
	})
	if err != nil {
		return g, fmt.Errorf("showing a game: %w", err)
	}
	return g, nil
}
