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

	"quintet/live"
)

// TestPanicInHandler checks what a client gets when a handler panics: 500 as JSON if
// nothing was sent before, else a connection that closes early.
func TestPanicInHandler(t *testing.T) {
	var logged bytes.Buffer
	s, err := New(t.Context(), live.NewMemory(), Config{Stand: -1, Log: slog.New(slog.NewJSONHandler(&logged, nil))})
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
		got, body, err := fetchAll(t, site.URL+path)
		var p struct{ Code, Error string }
		if err != nil || got.StatusCode != http.StatusInternalServerError || json.Unmarshal(body, &p) != nil || p.Code != "internal" || p.Error == "" {
			t.Errorf("%s: %v, %s, %v, want 500 and the problem", path, got, body, err)
			continue
		}
		if kind := got.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") || got.Header.Get("Content-Disposition") != "" {
			t.Errorf("%s: headers %v, want those of the problem", path, got.Header)
		}
	}
	for _, path := range []string{"/status", "/late", "/flushed", "/aborted"} {
		if got, body, err := fetchAll(t, site.URL+path); err == nil {
			t.Errorf("%s: %s %q, want the connection closed", path, got.Status, body)
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

// fetchAll gets an address and reads all of the answer.
func fetchAll(t *testing.T, url string) (*http.Response, []byte, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(got.Body)
	return got, body, errors.Join(err, got.Body.Close())
}

// TestPanicAfterHijack checks that a connection that was taken over counts as begun, so
// that no response is written into a WebSocket.
func TestPanicAfterHijack(t *testing.T) {
	s, err := New(t.Context(), live.NewMemory(), Config{Stand: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	begun := make(chan bool, 1)
	site := httptest.NewServer(s.guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer func() {
			p, ok := w.(deadlineWriter)
			begun <- ok && *p.begun
		}()
		c, _, err := smallBuffers{w}.Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = c.Close() }()
		panic("in a socket")
	}), nil))
	defer site.Close()
	if got, body, err := fetchAll(t, site.URL); err == nil { //nolint:bodyclose // fetchAll closes it
		t.Errorf("%s %q, want the connection closed", got.Status, body)
	}
	if !<-begun {
		t.Error("a connection that was taken over does not count as begun")
	}
}
