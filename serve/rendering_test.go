package serve

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"quintet/live"
)

// TestBusyReplay checks that a page that requests a replay is asked to wait while too
// much is rendered.
func TestBusyReplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		ask := func() *httptest.ResponseRecorder {
			return request(t, s, http.MethodPost, "/api/replay", `{"game":"othello","moves":["f4"]}`)
		}
		var all []func()
		for range max(1, runtime.GOMAXPROCS(0)/2) { // all slots
			done, err := s.Slot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, done)
		}
		if w := ask(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"reason":"busy"`) {
			t.Errorf("beside others: %d, %s", w.Code, w.Body)
		}
		if w := request(t, s, http.MethodPost, "/api/analysis/position", `{"game":"othello"}`); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"reason":"busy"`) {
			t.Errorf("a position beside others: %d, %s", w.Code, w.Body)
		}
		all[0]()
		for range 3 {
			if w := ask(); w.Code != http.StatusOK {
				t.Errorf("afterwards: %d, %s", w.Code, w.Body)
			}
		}
	})
}
