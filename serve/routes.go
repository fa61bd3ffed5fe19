package serve

import (
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quintet/serve/api"
	"quintet/web"
)

// newHandler returns the root handler. The paths of the interface are those of docs/api.md.
func (s *Server) newHandler() (http.Handler, error) {
	s.routes.Add(api.Routes{
		"GET /api/openapi.json": http.HandlerFunc(s.openapi),
		"GET /healthz":          http.HandlerFunc(s.healthz),
		"GET /readyz":           http.HandlerFunc(s.readyz),
		"GET /metrics":          promhttp.HandlerFor(s.Count.Registry, promhttp.HandlerOpts{}),
	})
	mux := http.NewServeMux()
	for pattern, answer := range s.routes {
		mux.Handle(pattern, answer)
	}
	site, err := s.pages(mux)
	if err != nil {
		return nil, err
	}
	mux.Handle("/", s.notFound(mux, site.Missing))
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(s.Handle(func(http.ResponseWriter, *http.Request) error {
		return api.Problemf(http.StatusForbidden, "origin", "the request comes from a page of another site")
	}))
	return s.guard(cross.Handler(mux), site), nil
}

// guard wraps every request: limits, headers, and recovery from panics.
func (s *Server) guard(next http.Handler, site *web.Site) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		w := api.WithDeadlines(to, r)
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
			s.Fail(w, wrongHost(r.Host))
			return
		}
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			if err := s.Limited(s.Limits.Requests, s.Address(r), "requests", "requests from your address"); err != nil {
				s.rejectTooMany(w, r, err, site)
				return
			}
		}
		began := s.Now()
		next.ServeHTTP(w, r)
		s.Log.Debug("request", "method", r.Method, "path", r.URL.Path, "from", s.Address(r), "took", s.Now().Sub(began).Round(time.Microsecond))
	})
}

// failPanic logs the panic of a handler and responds with 500. If the response has
// begun, it closes the connection instead, or the client would take what it has for all.
func (s *Server) failPanic(w api.DeadlineWriter, r *http.Request, v any) {
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	s.hall.ReportPanic("request", v, "method", r.Method, "path", r.URL.Path)
	if w.Begun() {
		panic(http.ErrAbortHandler)
	}
	for _, name := range []string{"Content-Disposition", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Etag", "Last-Modified"} {
		w.Header().Del(name) // they describe the response that failed
	}
	s.Fail(w, api.Problemf(http.StatusInternalServerError, "internal", "the request failed because of a fault of the server: its log says what happened"))
}

// healthz says that the process answers.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	s.Write(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz says whether requests should be sent here: the list is up to date, the
// log is available, and the server is not stopping.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	switch {
	case !s.Ready.Load():
		s.Write(w, http.StatusServiceUnavailable, map[string]string{"status": "starting or stopping"})
	case s.clock.Stopped(s.Now()):
		s.Write(w, http.StatusServiceUnavailable, map[string]string{"status": "log unavailable"})
	default:
		s.Write(w, http.StatusOK, map[string]string{"status": "ready"})
	}
}
