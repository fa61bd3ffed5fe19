package puzzles

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"quintet/games"
	"quintet/serve/api"
	"quintet/web/wire"
)

// TestDailyWithoutPuzzles checks that a game without puzzles has no puzzle of the day, and
// that the other games have theirs.
func TestDailyWithoutPuzzles(t *testing.T) {
	s := NewService(api.New(api.Config{Now: time.Now}))
	s.puzzles["loa"] = func() *wire.PuzzleSet { return &wire.PuzzleSet{Game: "loa"} }
	w := httptest.NewRecorder()
	s.Handle(s.today).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/puzzles/today", nil))
	var got wire.Daily
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d, %v: %s", w.Code, err, w.Body)
	}
	if want := len(games.All()) - 1; len(got.Puzzles) != want {
		t.Errorf("%d puzzles of the day, want %d", len(got.Puzzles), want)
	}
	for _, p := range got.Puzzles {
		if p.Game == "loa" {
			t.Errorf("a puzzle of a game that has none: %+v", p)
		}
	}
}
