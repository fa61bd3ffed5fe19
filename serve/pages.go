package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/web"
)

// pages adds the pages of package web and their endpoints besides the games.
func (s *Server) pages(mux *http.ServeMux) (*web.Site, error) {
	site, err := web.New(s.pageGame, s.origin)
	if err != nil {
		return nil, fmt.Errorf("the pages: %w", err)
	}
	for _, pattern := range site.Patterns() {
		mux.Handle(pattern, site)
	}
	return site, nil
}

// replayTurn waits for a slot to replay moves. The caller releases it with done before it
// writes to the client.
func (s *Server) replayTurn(ctx context.Context) (done func(), err error) {
	if err := s.renderer.acquire(ctx); err != nil {
		return nil, errors.New(s.renderer.busy().Error)
	}
	began := time.Now()
	return func() { s.renderer.release(began) }, nil
}

// answerReplay responds with the result of a function that replays moves. It releases the
// slot before it writes the response, because a slow reader would block all others.
func (s *Server) answerReplay(w http.ResponseWriter, r *http.Request, replay func() (any, *Problem)) {
	done, err := s.replayTurn(r.Context())
	if err != nil {
		s.fail(w, s.renderer.busy())
		return
	}
	v, p := func() (any, *Problem) {
		defer done()
		return replay()
	}()
	if p != nil {
		s.fail(w, p)
		return
	}
	s.write(w, http.StatusOK, v)
}

// rejectTooMany rejects a request over a limit, with a page if the client wanted one.
func (s *Server) rejectTooMany(w http.ResponseWriter, r *http.Request, p *Problem, site *web.Site) {
	page := r.URL.Path == "/" || slices.ContainsFunc([]string{"/g/", "/review", "/analysis/", "/study/", "/editor/", "/puzzles/", "/learn/"}, func(start string) bool { return strings.HasPrefix(r.URL.Path, start) })
	if !page || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.fail(w, p)
		return
	}
	s.count.refused(p.Code)
	site.Busy(w, r, p.After)
}

// pageGame returns the game of a page. The page of a private game does not show it: its
// script fetches it with the key.
func (s *Server) pageGame(_ context.Context, r *http.Request, id string) (web.Game, error) {
	r.SetPathValue("id", id)
	room, seats, p := s.requestedRoom(r)
	if p != nil && p.status == http.StatusNotFound {
		return web.Game{}, fmt.Errorf("%s: %w", p.Error, web.ErrMissing)
	}
	if p != nil { // the log cannot be read, say: whether there is such a game is not known
		return web.Game{}, fmt.Errorf("finding a game: %s", p.Error)
	}
	var g web.Game
	err := room.ViewAs(seats, func(t *live.Table) {
		position := t.Position()
		g = web.Game{
			Kind: t.Game(), Board: position.Board(), Text: position.String(),
			Players: [2]string{t.Player(game.First).Name, t.Player(game.Second).Name},
			Engines: [2]string{t.Player(game.First).Engine, t.Player(game.Second).Engine},
			Turn:    t.Turn(), Plies: t.Ply(), Result: t.Ending().Result, Private: t.Settings().Private || t.Ending().Reason == live.ReasonAborted,
		}
	})
	if err != nil {
		return g, fmt.Errorf("showing a game: %w", err)
	}
	return g, nil
}

// origin returns the address of this server from the client's view.
func (s *Server) origin(r *http.Request) string {
	scheme := "http"
	if s.secure(r) {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
