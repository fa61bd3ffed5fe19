package serve

import (
	"net/http"
	"net/url"
	"strings"

	"quintet/serve/api"
)

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
			s.Fail(w, api.Problemf(http.StatusNotFound, "missing", "%.20s %.200s: there is no such address: expected one of docs/api.md", r.Method, r.URL.Path))
		default:
			page(w, r)
		}
	}
}

// allowedMethods returns the methods that have a route for an address.
func allowedMethods(mux *http.ServeMux, r *http.Request, at *url.URL) (methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method, other.URL = method, at
		if _, pattern := mux.Handler(other); pattern != "" && pattern != "/" {
			methods = append(methods, method)
		}
	}
	return methods
}
