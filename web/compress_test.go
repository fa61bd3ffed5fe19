package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/web"
)

// TestCompress checks that long answers are compressed for clients that accept that, and
// that all others are unchanged, with their status.
func TestCompress(t *testing.T) {
	long := strings.Repeat("a board ", 500)
	for _, c := range []struct {
		name, accept, body string
		status             int
		encoding           string
	}{
		{"long", "br, gzip", long, 200, "gzip"},
		{"long, with a status", "gzip", long, 422, "gzip"},
		{"short", "gzip", "a board", 404, ""},
		{"not taken", "br", long, 200, ""},
		{"empty", "gzip", "", 304, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := web.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				if c.body != "" {
					_, _ = io.WriteString(w, c.body)
				}
			}))
			for range 2 { // the second has a writer that was used before
				w := get(t, h, "/", "Accept-Encoding", c.accept)
				if w.Code != c.status || w.Header().Get("Content-Encoding") != c.encoding || w.Header().Get("Vary") != "Accept-Encoding" {
					t.Fatalf("status %d, headers %v, want %d, %q", w.Code, w.Header(), c.status, c.encoding)
				}
				if got := plain(t, w); got != c.body {
					t.Errorf("%d bytes, want %d", len(got), len(c.body))
				}
			}
		})
	}
}

// plain returns the body of an answer, decompressed if need be.
func plain(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String()
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
