package serve

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/live"
)

// TestDiskOfClient checks that an address may have a limited number of bytes stored, however it sends
// them, and that others are not refused for it.
func TestDiskOfClient(t *testing.T) {
	s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1, TrustProxy: true, DiskRate: Rate{Burst: 300_000, Second: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	send := func(from, body string, length int64) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/replay", strings.NewReader(body))
		r.ContentLength = length
		r.Header.Set("X-Forwarded-For", from)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code == http.StatusTooManyRequests && !strings.Contains(w.Body.String(), `"reason":"limited.disk"`) {
			t.Errorf("refused with %s", w.Body)
		}
		return w.Code
	}
	for _, c := range []struct {
		from, body string
		length     int64
		want       int // requests before it is refused
	}{
		{"192.0.2.1", strings.Repeat("x", 50_000), 50_000, 5},
		{"192.0.2.2", "{", -1, 1}, // of unknown length
		{"192.0.2.3", "{}", 2, 583},
	} {
		n := 0
		for n < 1000 && send(c.from, c.body, c.length) != http.StatusTooManyRequests {
			n++
		}
		if n != c.want {
			t.Errorf("%s: %d requests before it is refused, want %d", c.from, n, c.want)
		}
	}
}
