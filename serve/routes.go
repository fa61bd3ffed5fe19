package serve

import (
	"cmp"
	_ "embed" // for the document
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/fair"
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
	mux.Handle("/", s.notFound(mux, s.person(site)))
	cross := http.NewCrossOriginProtection()
	for _, pattern := range []string{"POST /lti/{id}/login", "POST /lti/{id}/launch"} { // from platforms; a state in a cookie protects them
		cross.AddInsecureBypassPattern(pattern)
	}
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
		from := s.Address(r)
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			if err := s.Limited(s.Limits.Requests, from, "requests", "requests from your address"); err != nil {
				s.rejectTooMany(w, r, err, site)
				return
			}
		}
		began := s.Now()
		next.ServeHTTP(w, r.WithContext(fair.WithClient(r.Context(), from)))
		s.Log.Debug("request", "method", r.Method, "path", r.URL.Path, "from", from, "took", s.Now().Sub(began).Round(time.Microsecond))
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

// readyz says whether requests should be sent here.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	status := http.StatusOK
	problem := s.unready()
	if problem != "" {
		status = http.StatusServiceUnavailable
	}
	if n := s.damaged(); problem == "" && n > 0 {
		problem = fmt.Sprintf("ready, but %d games, studies, reviews or accounts are damaged: see the server's log", n)
	}
	if n := s.damagedCopies(); problem == "" && n > 0 {
		problem = fmt.Sprintf("ready, but %d copies of the log are damaged or being replaced: see the server's log", n)
	}
	s.Write(w, status, map[string]string{"status": cmp.Or(problem, "ready")})
}

// damagedCopies returns the number of copies of the log that are damaged or being replaced.
func (s *Server) damagedCopies() int {
	if l, ok := s.config.damaged.(live.Copied); ok {
		return len(l.DamagedCopies())
	}
	return 0
}

// damaged returns the number of damaged streams. It hides their names, which would reveal private games.
func (s *Server) damaged() int {
	if l, ok := s.config.damaged.(live.Damaged); ok {
		return len(l.Damage())
	}
	return 0
}

// unready says why this server should get no requests, or "" if the log is available, all that follows
// it (the list, the positions of live games) is up to date, and the server is not stopping.
func (s *Server) unready() string {
	switch {
	case !s.Ready.Load():
		return "starting or stopping"
	case s.clock.Stopped(s.Now()):
		return "log unavailable"
	case s.index.Rebuilding():
		return "rebuilding the list of games"
	case !s.games.KnowsLive():
		return "reading the games in progress"
	}
	return s.Lag.Problem()
}

// notFound answers requests that match no route: 405 if the path exists for other
// methods, a redirect if it exists without its trailing slash, and else 404, as a Problem
// under /api and as a page elsewhere.
func (s *Server) notFound(mux *http.ServeMux, page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if methods := allowedMethods(mux, r, r.URL); len(methods) > 0 {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			s.Fail(w, api.Problemf(http.StatusMethodNotAllowed, "method", "%.20s %.200s: expected %s", r.Method, r.URL.Path, strings.Join(methods, " or ")))
			return
		}
		less := *r.URL
		less.Path, less.RawPath = strings.TrimSuffix(r.URL.Path, "/"), strings.TrimSuffix(r.URL.RawPath, "/")
		switch {
		case less.Path != r.URL.Path && len(allowedMethods(mux, r, &less)) > 0:
			http.Redirect(w, r, less.RequestURI(), http.StatusPermanentRedirect) //nolint:gosec // with its method and body, to an address of ours
		case less.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/"):
			s.Fail(w, api.Problemf(http.StatusNotFound, "missing", "%.20s %.200s: unknown path; see docs/api.md", r.Method, r.URL.Path))
		default:
			page(w, r)
		}
	}
}

// allowedMethods returns the methods that have a route for an address.
func allowedMethods(mux *http.ServeMux, r *http.Request, at *url.URL) (methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method, other.URL = method, at
		if _, pattern := mux.Handler(other); pattern != "" && pattern != "/" {
			methods = append(methods, method)
		}
	}
	return methods
}

// openapi describes the interface for programs. A test holds it against what the
// server answers.
//
//go:embed openapi.json
var openapi []byte

func (s *Server) openapi(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(openapi) // the client may have left
}
