package serve_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestMethods checks that the answer to a wrong method lists the right ones.
func TestMethods(t *testing.T) {
	s := open(t)
	path := "/api/games/" + s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	for _, c := range []struct{ method, path, allow string }{
		{"GET", path + "/moves", "POST"}, {"PUT", path, "GET, HEAD"}, {"DELETE", path, "GET, HEAD"}, {"OPTIONS", path, "GET, HEAD"}, {"PATCH", "/api/games", "GET, HEAD, POST"},
		{"OPTIONS", path + "/resign", "POST"}, {"POST", path + "/events", "GET, HEAD"}, {"GET", path + "/seats/first", "POST"}, {"GET", "/api/replay", "POST"},
		{"POST", "/healthz", "GET, HEAD"}, {"POST", "/metrics", "GET, HEAD"}, {"POST", "/", "GET, HEAD"}, {"POST", "/g/abcdefgh2345", "GET, HEAD"},
	} {
		got := s.raw(c.method, c.path)
		var p struct{ Code, Reason, Error string }
		if err := json.Unmarshal([]byte(got.body), &p); err != nil || got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != c.allow || p.Code != "method" || p.Reason != "method" || p.Error == "" {
			t.Errorf("%s %s: %d, Allow %q, %s; want 405 and %s", c.method, c.path, got.status, got.header.Get("Allow"), got.body, c.allow)
		}
	}
}

// TestSlash redirects addresses with a trailing slash, keeping method and body.
func TestSlash(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games/", `{"game":"loa","as":"first","name":"Ann"}`), 201, "").text("id")
	s.eventually(func() string { return s.ids("/?player=Ann") }, id, "the list")
	if v := s.want(s.get("/api/games/"+id+"/"), 200, ""); v.text("id") != id {
		t.Errorf("the game: %v", v.body)
	}
	if got := s.raw("GET", "/g/"+id+"/"); got.status != http.StatusOK || got.from != s.url+"/g/"+id || !strings.Contains(got.body, "<html") {
		t.Errorf("the page: %d at %s", got.status, got.from)
	}
	for _, path := range []string{"/api", "/api/", "/api/nonsense/"} {
		s.want(s.get(path), 404, "missing")
	}
}

// TestNowhere answers unknown addresses with a page, without open redirects.
func TestNowhere(t *testing.T) {
	s := open(t)
	for _, path := range []string{"/nope", "/g", "/g/", "/g/unknown", "/nope/nope/", "//evil.example/", "/%2fevil.example/", "/%2f%2fevil.example/g/x/", "/g/..%2f..%2fx/"} {
		got := s.raw("GET", path)
		html := strings.HasPrefix(got.header.Get("Content-Type"), "text/html")
		if got.status != http.StatusNotFound || !html || !strings.Contains(got.body, "There is no such game") || !strings.HasPrefix(got.from, s.url) {
			t.Errorf("%s: %d at %s: %.60q, want the page that says so", path, got.status, got.from, got.body)
		}
	}
}

// plain is an answer as it comes, and the address that it comes from in the end.
type plain struct {
	status int
	header http.Header
	from   string
	body   string
}

// unavailable reports whether the server can write nothing now, and has done nothing.
func (p plain) unavailable() bool {
	return p.status == http.StatusServiceUnavailable && strings.Contains(p.body, `"reason":"unavailable"`)
}

// raw sends a request without a body.
func (s *site) raw(method, path string, headers ...string) plain {
	s.t.Helper()
	return s.send(method, path, "", headers...)
}

// send sends a request, and follows where it leads.
func (s *site) send(method, path, body string, headers ...string) plain {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return plain{got.StatusCode, got.Header, got.Request.URL.String(), string(data)}
}
