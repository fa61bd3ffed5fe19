package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"quintet/live"
)

// renewed is how many inputs a fuzzed server gets before another takes its place, so
// that what it keeps by right does not grow without end, and what it keeps by mistake
// is seen.
const renewed = 2000

// fuzzed is a server with a game, for inputs that mean it no good.
type fuzzed struct {
	server    *Server
	id, token string
	http      *httptest.Server // nil until somebody connects
	before    int              // goroutines
	inputs    int
}

// use returns the server, a new one now and then. A test fails in which goroutines
// are left of the one before.
func (f *fuzzed) use(t *testing.T) *fuzzed {
	t.Helper()
	if f.inputs++; f.server != nil && f.inputs%renewed != 0 {
		return f
	}
	f.end(t)
	f.before = runtime.NumGoroutine()
	s, err := New(context.Background(), live.NewMemory(), Config{Hold: -1, EngineTime: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/games", strings.NewReader(`{"game":"othello","as":"first","seats":{"second":"random"}}`)))
	var made struct{ ID, Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.Token == "" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	f.server, f.id, f.token = s, made.ID, made.Token
	return f
}

// end closes the server, and checks that nothing is left of it.
func (f *fuzzed) end(t *testing.T) {
	t.Helper()
	if f.server == nil {
		return
	}
	if f.http != nil {
		f.http.Close()
		f.http = nil
	}
	if err := f.server.Close(); err != nil {
		t.Error(err)
	}
	f.server = nil
	for began := time.Now(); runtime.NumGoroutine() > f.before; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left of a server that was closed, where %d were before it:\n%s", runtime.NumGoroutine(), f.before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestNothingLeft checks that nothing is left of a server that has served requests of all
// kinds and is closed.
func TestNothingLeft(t *testing.T) {
	var f fuzzed
	for _, body := range bodies() {
		for n := range uint8(12) {
			f.use(t).request(t, n, body)
		}
	}
	for _, frame := range rawFrames() {
		f.use(t).raw(t, frame)
	}
	f.end(t)
}
