package play

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/live/index"
	"quintet/people"
	"quintet/serve/api"
	"quintet/serve/clock"
	"quintet/serve/hall"
)

// newTestService returns a service on a new log, without a server around it.
func newTestService(t testing.TB) *Service {
	t.Helper()
	l, logger := live.NewMemory(), slog.New(slog.DiscardHandler)
	x, err := index.Open(t.Context(), "", 0, logger)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	accounts, err := people.Open(t.Context(), l, time.Now, logger)
	if err != nil {
		t.Fatal(err)
	}
	b := api.New(api.Config{People: accounts, Log: logger, Now: time.Now, Random: bytes.NewReader(make([]byte, 1<<20)), Secret: []byte("secret")})
	h, err := hall.New(t.Context(), hall.Config{
		Log: l, Clock: clock.New(clock.Config{}, live.Heartbeat{}, time.Now()), Now: time.Now, Logger: logger, Metrics: b.Count, Encoder: Encoder{}, Engines: 1, EngineQueue: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return NewService(b, Config{Log: l, Hall: h, Index: x})
}

// FuzzFrame checks that every frame of a socket is answered.
func FuzzFrame(f *testing.F) {
	for _, frame := range []string{`{"do":"move","move":"f4","ply":0}`, `{"do":"resign"}`, `{"do":"flag"}`, `{"do":"sit"}`, `{"do":"accept","what":"draw","side":"second"}`, `{"do":"ping","ref":"1"}`, `x`, `{}`} {
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := newTestService(t)
		w := httptest.NewRecorder()
		s.Handle(s.create).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/games", strings.NewReader(`{"game":"othello","as":"first"}`)))
		var made struct{ ID, Token string }
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.Token == "" {
			t.Fatalf("%v: %s", err, w.Body)
		}
		room, err := s.hall.Room(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		socket := &socketConn{server: s, room: room, keys: []string{made.Token}, watcher: &hall.Watcher{}}
		if a := socket.answer(t.Context(), []byte(text)); a.Kind != "reply" || a.Status < 200 || a.Status >= 500 || !answered(a) {
			t.Errorf("%q: %+v", text, a)
		}
	})
}

// answered reports whether an answer says what was done, how many watch, or why it
// was refused.
func answered(a reply) bool { return (a.Done != nil || a.Watching != nil) != (a.Problem != nil) }
