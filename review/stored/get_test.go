package stored_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/review/stored"
)

// TestFetch gets a review from a server, and says why where it gets none.
func TestFetch(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/reviews/abc":
			_, _ = w.Write([]byte(three))
		case "/api/reviews/gone":
			http.Error(w, `{"error":"there is no such\u001b review"}`, http.StatusNotFound)
		case "/api/reviews/page":
			_, _ = w.Write([]byte("<html>"))
		default:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer s.Close()
	for path, want := range map[string]string{
		"/review/abc":  "",
		"/review/gone": `the server answers 404 Not Found: "there is no such\x1b review"`,
		"/review/page": "expected the JSON of GET",
		"/review/x":    "the server answers 500 Internal Server Error",
		"/game/abc":    "is not the path of a review",
	} {
		r, err := stored.Fetch(t.Context(), s.URL+path)
		if want == "" && (err != nil || r.Game.Name != "othello") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	s.Close()
	if _, err := stored.Fetch(t.Context(), s.URL+"/review/abc"); err == nil {
		t.Error("a review of a server that is gone")
	}
}
