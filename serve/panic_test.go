package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve/api"
)

// TestPanicInHandler checks what a client gets when a handler panics: 500 as JSON if
// nothing was sent before, else a connection that closes early.
func TestPanicInHandler(t *testing.T) {
	var logged bytes.Buffer
	s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1, Log: slog.New(slog.NewJSONHandler(&logged, nil))}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	mux := http.NewServeMux()
	mux.HandleFunc("/early", func(http.ResponseWriter, *http.Request) { panic("early") })
	mux.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Content-Length", "3")
		w.Header().Set("Content-Disposition", "attachment")
		panic("headers")
	})
	mux.HandleFunc("/status", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		panic("status")
	})
	mux.HandleFunc("/late", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"half":`)
		panic("late")
	})
	mux.HandleFunc("/flushed", func(w http.ResponseWriter, _ *http.Request) {
		_ = http.NewResponseController(w).Flush()
		panic("flushed")
	})
	mux.HandleFunc("/aborted", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	site := httptest.NewServer(s.guard(mux, nil))
	defer site.Close()

	for _, path := range []string{"/early", "/headers"} {
		got, err := fetchAll(t, site.URL+path)
		var p struct{ Code, Error string }
		if err != nil || got.status != http.StatusInternalServerError || json.Unmarshal(got.body, &p) != nil || p.Code != "internal" || p.Error == "" {
			t.Errorf("%s: %d, %s, %v, want 500 and the problem", path, got.status, got.body, err)
			continue
		}
		if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") || got.header.Get("Content-Disposition") != "" {
			t.Errorf("%s: headers %v, want those of the problem", path, got.header)
		}
	}
	for _, path := range []string{"/status", "/late", "/flushed", "/aborted"} {
		if got, err := fetchAll(t, site.URL+path); err == nil {
			t.Errorf("%s: %d %q, want the connection closed", path, got.status, got.body)
		}
	}
	site.Close() // waits for the handlers, which log
	for _, path := range []string{"/early", "/headers", "/status", "/late", "/flushed"} {
		if !strings.Contains(logged.String(), `"path":"`+path+`"`) {
			t.Errorf("the panic of %s is not logged: %s", path, &logged)
		}
	}
	if strings.Contains(logged.String(), "/aborted") {
		t.Error("http.ErrAbortHandler is logged as a fault")
	}
}

// fetched is a response that was read to its end.
type fetched struct {
	status int
	header http.Header
	body   []byte
}

// fetchAll fetches a page. It returns an error if the server breaks off.
func fetchAll(t *testing.T, url string) (f fetched, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return f, err
	}
	body, err := io.ReadAll(got.Body)
	return fetched{got.StatusCode, got.Header, body}, errors.Join(err, got.Body.Close())
}

// TestPanicAfterHijack checks that a connection that was taken over counts as begun, so
// that no response is written into a WebSocket.
func TestPanicAfterHijack(t *testing.T) {
	s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	begun := make(chan bool, 1)
	site := httptest.NewServer(s.guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer func() {
			p, ok := w.(api.DeadlineWriter)
			begun <- ok && p.Begun()
		}()
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = c.Close() }()
		panic("in a socket")
	}), nil))
	defer site.Close()
	if got, err := fetchAll(t, site.URL); err == nil {
		t.Errorf("%d %q, want the connection closed", got.status, got.body)
	}
	if !await.Receive(t, "the end of the handler", begun) {
		t.Error("a connection that was taken over does not count as begun")
	}
}
