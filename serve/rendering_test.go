package serve

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"quintet/live"
	"quintet/serve/reviews"
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
		free := occupy(t, s)
		if w := ask(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"reason":"busy"`) {
			t.Errorf("beside others: %d, %s", w.Code, w.Body)
		}
		if w := request(t, s, http.MethodPost, "/api/analysis/position", `{"game":"othello"}`); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"reason":"busy"`) {
			t.Errorf("a position beside others: %d, %s", w.Code, w.Body)
		}
		free()
		for range 3 {
			if w := ask(); w.Code != http.StatusOK {
				t.Errorf("afterwards: %d, %s", w.Code, w.Body)
			}
		}
	})
}

// TestBusyReview checks that reviews take turns with all other replays, whether they are opened, shown,
// followed or tried.
func TestBusyReview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		review, err := s.reviews.Open(t.Context(), reviews.Spec{Game: "othello", Moves: []string{"f4", "f3"}}, "client", nil) // nobody works on it
		if err != nil {
			t.Fatal(err)
		}
		path, busy := "/api/reviews/"+review.ID(), occupy(t, s)
		for _, ask := range [][3]string{
			{http.MethodGet, path, ""}, {http.MethodGet, path + "/events", ""}, {http.MethodPost, path + "/try", `{"ply":1,"move":"f4"}`},
			{http.MethodPost, "/api/reviews", `{"game":"othello","moves":["f4","f5"]}`},
		} {
			if w := request(t, s, ask[0], ask[1], ask[2]); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "too many moves are being replayed") {
				t.Errorf("%s beside others: %d, %s", ask[1], w.Code, w.Body)
			}
		}
		busy()
		if w := request(t, s, http.MethodGet, path, ""); !strings.Contains(w.Body.String(), "the server is starting") {
			t.Errorf("afterwards: %d, %s", w.Code, w.Body)
		}
	})
}

// TestBusyReviewOfGame checks the same for a finished game.
func TestBusyReviewOfGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClocked(t, live.NewMemory(), Config{Hold: -1})
		c.move("e2e4", http.StatusOK)
		var p Problem
		c.ask("POST", "/api/games/"+c.id+"/resign", "", http.StatusOK, &p)
		busy := occupy(t, c.server)
		if c.ask("POST", "/api/games/"+c.id+"/review", "", http.StatusServiceUnavailable, &p); !strings.Contains(p.Text, "too many moves are being replayed") {
			t.Errorf("beside others: %q", p.Text)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		if _, err := c.server.games.FinishedTable(r, c.id); err == nil {
			t.Error("the moves of a finished game are replayed beside others")
		}
		busy()
		c.ask("POST", "/api/games/"+c.id+"/review", "", http.StatusAccepted, &p)
		if err := c.server.Close(); err != nil {
			t.Error(err)
		}
	})
}

// occupy takes all slots for replays, until the caller frees them.
func occupy(t *testing.T, s *Server) (free func()) {
	t.Helper()
	var all []func()
	for range max(1, runtime.GOMAXPROCS(0)/2) {
		done, err := s.Slot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, done)
	}
	return func() {
		for _, done := range all {
			done()
		}
	}
}
