package serve

import (
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quintet/web"
)

// routes returns what answers all requests. The paths of the interface are those
// of docs/api.md.
func (s *Server) routes() (http.Handler, error) {
	mux := http.NewServeMux()
	for pattern, answer := range s.addresses() {
		mux.Handle(pattern, answer)
	}
	site, err := s.pages(mux)
	if err != nil {
		return nil, err
	}
	mux.Handle("/", s.notFound(mux, site.Missing))
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.fail(w, problem(http.StatusForbidden, "origin", "the request comes from a page of another site"))
	}))
	return s.guard(cross.Handler(mux), site), nil
}

// addresses returns the addresses of the interface, those that openapi.json
// describes.
func (s *Server) addresses() map[string]http.Handler {
	list := map[string]http.Handler{
		"POST /api/games":                   http.HandlerFunc(s.create),
		"GET /api/games":                    http.HandlerFunc(s.games),
		"GET /api/games/{id}":               web.Compress(http.HandlerFunc(s.show)),
		"POST /api/games/{id}/seats/{side}": http.HandlerFunc(s.takeSeat),
		"GET /api/games/{id}/events":        s.limitConns(s.limits.conns, s.events),
		"GET /api/games/{id}/socket":        http.HandlerFunc(s.socket),
		"GET /api/games/{id}/record":        s.limitConns(s.limits.renders, s.download),
		"GET /api/games/{id}/forms":         s.limitConns(s.limits.renders, s.forms),
		"GET /api/games/{id}/board.svg":     web.Compress(s.limitConns(s.limits.renders, s.svg)),
		"GET /api/games/{id}/board.png":     s.limitConns(s.limits.renders, s.png),
		"GET /api/games/{id}/game.gif":      s.limitConns(s.limits.renders, s.gif),
		"GET /api/puzzles":                  web.Compress(http.HandlerFunc(s.listPuzzles)),
		"GET /api/puzzles/today":            web.Compress(http.HandlerFunc(s.puzzlesToday)),
		"GET /api/puzzles/{id}":             web.Compress(http.HandlerFunc(s.showPuzzle)),
		"GET /api/lessons":                  web.Compress(http.HandlerFunc(s.listLessons)),
		"POST /api/games/{id}/review":       s.limitConns(s.limits.renders, s.reviewGame),
		"POST /api/reviews":                 http.HandlerFunc(s.createReview),
		"GET /api/reviews/{id}":             web.Compress(s.limitConns(s.limits.renders, s.showReview)),
		"POST /api/reviews/{id}/try":        s.limitConns(s.limits.renders, s.tryMove),
		"GET /api/reviews/{id}/events":      s.limitConns(s.limits.conns, s.reviewEvents),
		"POST /api/analysis/lines":          s.limitConns(s.limits.conns, s.analysisLines),
		"POST /api/analysis/position":       web.Compress(s.limitConns(s.limits.renders, s.analysisPosition)),
		"POST /api/replay":                  web.Compress(s.limitConns(s.limits.renders, s.replay)),
		"POST /api/studies":                 s.limitConns(s.limits.renders, s.createStudy),
		"GET /api/studies/{id}":             web.Compress(s.limitConns(s.limits.renders, s.showStudy)),
		"GET /api/studies/{id}/events":      s.limitConns(s.limits.conns, s.studyEvents),
		"POST /api/studies/{id}/edits":      http.HandlerFunc(s.editStudy),
		"GET /api/studies/{id}/download":    s.limitConns(s.limits.renders, s.downloadStudy),
		"GET /api/studies/{id}/forms":       s.limitConns(s.limits.renders, s.studyForms),
		"GET /api/setup":                    http.HandlerFunc(s.setup),
		"GET /api/openapi.json":             http.HandlerFunc(s.openapi),
		"GET /healthz":                      http.HandlerFunc(s.healthz),
		"GET /readyz":                       http.HandlerFunc(s.readyz),
		"GET /metrics":                      promhttp.HandlerFor(s.count.registry, promhttp.HandlerOpts{}),
	}
	for path, verb := range verbs() {
		list["POST /api/games/{id}/"+path] = s.command(verb)
	}
	return list
}

// guard wraps every request: limits, headers, and recovery from panics.
func (s *Server) guard(next http.Handler, site *web.Site) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		w := withDeadlines(to, r)
		defer func() {
			if v := recover(); v != nil {
				s.failPanic(w, r, v)
			}
		}()
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		if !probe(r.URL.Path) && !s.config.servesHost(r.Host) {
			s.fail(w, wrongHost(r.Host))
			return
		}
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			if p := s.limited(s.limits.requests, s.address(r), "requests", "requests from your address"); p != nil {
				s.rejectTooMany(w, r, p, site)
				return
			}
		}
		began := s.config.Now()
		next.ServeHTTP(w, r)
		s.config.Log.Debug("request", "method", r.Method, "path", r.URL.Path, "from", s.address(r), "took", s.config.Now().Sub(began).Round(time.Microsecond))
	})
}

// failPanic logs the panic of a handler and responds with 500. If the response has
// begun, it closes the connection instead, or the client would take what it has for all.
func (s *Server) failPanic(w deadlineWriter, r *http.Request, v any) {
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	s.hall.ReportPanic("request", v, "method", r.Method, "path", r.URL.Path)
	if *w.begun {
		panic(http.ErrAbortHandler)
	}
	for _, name := range []string{"Content-Disposition", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Etag", "Last-Modified"} {
		w.Header().Del(name) // they describe the response that failed
	}
	s.fail(w, problem(http.StatusInternalServerError, "internal", "the request failed because of a fault of the server: its log says what happened"))
}

// healthz says that the process answers.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	s.write(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz says whether requests should be sent here: the list is up to date, the
// log takes events, and the server is not stopping.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	switch {
	case !s.ready.Load():
		s.write(w, http.StatusServiceUnavailable, map[string]string{"status": "starting or stopping"})
	case s.clock.Stopped(s.config.Now()):
		s.write(w, http.StatusServiceUnavailable, map[string]string{"status": "the log takes nothing"})
	default:
		s.write(w, http.StatusOK, map[string]string{"status": "ready"})
	}
}
