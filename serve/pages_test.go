package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/live"
)

// page asks for a page as a browser does.
func (c *clocked) page(path string) *httptest.ResponseRecorder {
	c.t.Helper()
	r := httptest.NewRequestWithContext(c.t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html,application/xhtml+xml")
	w := httptest.NewRecorder()
	c.server.Handler().ServeHTTP(w, r)
	return w
}

// TestPageInAnOutage: while the log cannot be read, a game's page does not claim that the
// game does not exist.
func TestPageInAnOutage(t *testing.T) {
	l := &lostLog{Log: live.NewMemory()}
	c := newClocked(t, l, Config{Hold: -1})
	for _, want := range []struct {
		down   bool
		path   string
		status int
		text   string
	}{
		{false, "/g/" + c.id, 200, "to move"},
		{false, "/g/23456789abcd", 404, "There is no such game"},
		{true, "/g/" + c.id, 503, "cannot show the game right now"},
		{true, "/g/23456789abcd", 503, "cannot show the game right now"},
		{true, "/g/nonsense", 404, "There is no such game"},
		{false, "/g/" + c.id, 200, "to move"},
	} {
		l.down.Store(false)
		c.serve(l, Config{Hold: -1}) // so that no game is in memory
		l.down.Store(want.down)
		if w := c.page(want.path); w.Code != want.status || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("%s, the log is away: %t: %d %s, want %d and %q", want.path, want.down, w.Code, w.Body, want.status, want.text)
		}
	}
}

// TestPageTooMany answers too many requests with a page to browsers and with JSON to
// programs.
func TestPageTooMany(t *testing.T) {
	c := &clocked{t: t}
	c.serve(live.NewMemory(), Config{Hold: -1, RequestRate: Rate{Burst: 1, Second: .01}})
	if w := c.page("/"); w.Code != http.StatusOK {
		t.Fatalf("the first page: %d", w.Code)
	}
	for _, path := range []string{"/", "/g/23456789abcd"} {
		w := c.page(path)
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "<h1>Too many requests") {
			t.Errorf("%s: %d, after %q: %s", path, w.Code, w.Header().Get("Retry-After"), w.Body)
		}
	}
	var p Problem
	if c.ask("GET", "/api/games", "", http.StatusTooManyRequests, &p); p.Code != "limited" {
		t.Errorf("the page's data: %+v", p)
	}
}
