package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/live"
)

// table returns a server with a game, and the token of its first seat.
func table(t testing.TB) (s *Server, id, token string) {
	t.Helper()
	s, err := New(context.Background(), live.NewMemory(), Config{Stand: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/games", strings.NewReader(`{"game":"othello","as":"first","seats":{"second":"random"}}`)))
	var made struct{ ID, Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.Token == "" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return s, made.ID, made.Token
}

// FuzzRequest wants every body at every address answered without a panic and
// without a fault of the server's own.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `[]`, `null`, `{"move":"f4","ply":0}`, `{"move":"pass","side":"second"}`, `{"what":"takeback"}`, `{"name":"Ann"}`, `{"ply":1e99}`,
		`{"game":"connect6","options":{"size":"26"},"seats":{"first":"random"},"clock":{"days":3},"private":true,"delay":5,"moves":["A1"]}`,
		`{"game":"chess","position":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w","options":{"halt":"agreed"}}`, `{"from":{"id":"aaaaaaaaaaaa","ply":-1}}`,
	} {
		for n := range uint8(12) {
			f.Add(n, body)
		}
	}
	s, id, token := table(f)
	paths := []string{"/api/games", "/api/games/" + id + "/seats/first", "/api/games/" + id + "/seats/x"}
	for verb := range verbs() {
		paths = append(paths, "/api/games/"+id+"/"+verb)
	}
	f.Fuzz(func(t *testing.T, n uint8, body string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, paths[int(n)%len(paths)], strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("%s %q: %d %s", r.URL.Path, body, w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %q: the answer is no JSON: %q", r.URL.Path, body, w.Body)
		}
	})
}

// FuzzAddress wants the same of addresses.
func FuzzAddress(f *testing.F) {
	s, id, _ := table(f)
	for _, path := range []string{
		"/", "/g/x", "/g/" + id, "/api/games/" + id, "/api/games?state=x", "/api/games?limit=-1&before=9", "/api/games/..%2f..%2fetc%2fpasswd", "/assets/../../go.mod",
		"/assets/%2e%2e/go.mod", "/g/" + id + "?key=%00", "/metrics", "/assets/", "/api/games/" + id + "?key=a;b",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://quintet"+path, nil)
		if err != nil || strings.HasSuffix(r.URL.Path, "/events") || strings.HasSuffix(r.URL.Path, "/socket") {
			return
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code >= 500 && r.URL.Path != "/readyz" {
			t.Errorf("%q: %d %s", path, w.Code, w.Body)
		}
	})
}

// FuzzFrame wants every frame of a socket answered.
func FuzzFrame(f *testing.F) {
	for _, frame := range []string{`{"do":"move","move":"f4","ply":0}`, `{"do":"resign"}`, `{"do":"flag"}`, `{"do":"sit"}`, `{"do":"accept","what":"draw","side":"second"}`, `{"do":"ping","ref":"1"}`, `x`, `{}`} {
		f.Add(frame)
	}
	s, id, token := table(f)
	room, err := s.hub.room(f.Context(), id)
	if err != nil {
		f.Fatal(err)
	}
	socket := &frames{server: s, room: room, secrets: []string{token}}
	f.Fuzz(func(t *testing.T, frame string) {
		a := socket.answer(t.Context(), []byte(frame))
		answered := (a.Done != nil || a.Watching != nil) != (a.Problem != nil)
		if a.Kind != "reply" || a.Status < 200 || a.Status >= 500 || !answered {
			t.Errorf("%q: %+v", frame, a)
		}
	})
}
