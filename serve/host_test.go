package serve

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"quintet/live"
)

// TestServesHost lists accepted and rejected host names.
func TestServesHost(t *testing.T) {
	for _, c := range []struct {
		hosts []string
		host  string
		want  bool
	}{
		{nil, "evil.example", true},
		{[]string{}, "evil.example", false},
		{[]string{}, "evil.example:8080", false},
		{[]string{}, "127.0.0.1:8080", true},
		{[]string{}, "192.168.1.7", true},
		{[]string{}, "[::1]:8080", true},
		{[]string{}, "[fe80::1%25eth0]", true},
		{[]string{}, "::1", true},
		{[]string{}, "localhost:8080", true},
		{[]string{}, "LOCALHOST.", true},
		{[]string{}, "a.localhost:1", true},
		{[]string{}, "localhost.evil.example", false},
		{[]string{}, "127.0.0.1.evil.example", false},
		{[]string{}, "evillocalhost", false},
		{[]string{}, "", true},
		{[]string{"games.example"}, "games.example", true},
		{[]string{"games.example"}, "Games.Example.:443", true},
		{[]string{"games.example."}, "games.example", true},
		{[]string{"games.example"}, "x.games.example", false},
		{[]string{"games.example"}, "games.example:80:80", false},
	} {
		if got := (Config{Hosts: c.hosts}).servesHost(c.host); got != c.want {
			t.Errorf("names %q: %q is served: %v, want %v", c.hosts, c.host, got, c.want)
		}
	}
}

// TestRebinding checks that pages, commands and sockets under another host name are
// rejected, and that monitoring requests are answered.
func TestRebinding(t *testing.T) {
	s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1, Hosts: []string{"games.example"}}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, c := range []struct {
		method, path, host string
		want               int
	}{
		{http.MethodGet, "/", "evil.example", 421},
		{http.MethodGet, "/api/games", "evil.example", 421},
		{http.MethodPost, "/api/games", "evil.example", 421},
		{http.MethodGet, "/api/games/aaaaaaaaaaaa/socket", "evil.example", 421},
		{http.MethodGet, "/nowhere", "evil.example", 421},
		{http.MethodGet, "/metrics", "evil.example", 200},
		{http.MethodGet, "/healthz", "evil.example", 200},
		{http.MethodGet, "/", "games.example", 200},
		{http.MethodGet, "/api/setup", "127.0.0.1:8080", 200},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		r.Host = c.host
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s %s at %s: status %d, want %d", c.method, c.path, c.host, w.Code, c.want)
		}
	}
}
