package serve_test

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/serve"
)

// TestPuzzles lists the puzzles of each game and shows the first and the last; what the
// answers look like, openapi.json says.
func TestPuzzles(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{})
	for _, g := range games.All() {
		list := s.want(s.get("/api/puzzles?game="+g.Name), http.StatusOK, "")
		puzzles, _ := list.body["puzzles"].([]any)
		if bots.ProfileFor(g).Puzzles.Strong == 0 && len(puzzles) == 0 {
			continue // a game without puzzles
		}
		if len(puzzles) < 180 {
			t.Fatalf("%s: %d puzzles", g.Name, len(puzzles))
		}
		for _, entry := range []any{puzzles[0], puzzles[len(puzzles)-1]} {
			id, _ := entry.(map[string]any)["id"].(string)
			p := s.want(s.get("/api/puzzles/"+id), http.StatusOK, "")
			if p.text("id") != id || p.text("game") != g.Name || p.body["difficulty"] != entry.(map[string]any)["difficulty"] {
				t.Errorf("%s: %v, listed as %v", id, p.body, entry)
			}
		}
	}
	s.want(s.get("/api/puzzles"), http.StatusBadRequest, "invalid")
	s.want(s.get("/api/puzzles?game=go"), http.StatusBadRequest, "invalid")
	s.want(s.get("/api/puzzles?game=loa&limit=3"), http.StatusBadRequest, "invalid")
	for _, id := range []string{"loa-00000000", "go-1", "loa", "%00", "loa-%2e%2e"} {
		s.want(s.get("/api/puzzles/"+id), http.StatusNotFound, "missing")
	}
}

// TestPuzzlesToday checks that every game has a puzzle of the day, that it stays for the
// day in UTC, and that every puzzle of a game has its day before the first returns.
func TestPuzzlesToday(t *testing.T) {
	var clock atomic.Int64 // seconds since 1970; the server's goroutines read it, too
	clock.Store(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).Unix())
	wait := func(d time.Duration) { clock.Add(int64(d / time.Second)) }
	s := start(t, live.NewMemory(), serve.Config{Now: func() time.Time { return time.Unix(clock.Load(), 0) }})
	today := func() (day string, ids []string) {
		answer := s.want(s.get("/api/puzzles/today"), http.StatusOK, "")
		for _, p := range answer.body["puzzles"].([]any) {
			ids = append(ids, p.(map[string]any)["id"].(string))
		}
		return answer.text("day"), ids
	}
	day, first := today()
	with := slices.DeleteFunc(games.All(), func(g game.Game) bool { return bots.ProfileFor(g).Puzzles.Strong == 0 })
	if day != "2026-11-22" || len(first) != len(with) {
		t.Fatalf("%s: %q, want a puzzle of each game that has any", day, first)
	}
	wait(24*time.Hour - time.Second)
	if day, ids := today(); day != "2026-11-22" || !slices.Equal(ids, first) {
		t.Errorf("late on the same day: %s, %q, want %q", day, ids, first)
	}
	n := len(s.want(s.get("/api/puzzles?game=loa"), http.StatusOK, "").body["puzzles"].([]any))
	seen := map[string]bool{}
	for range n {
		_, ids := today()
		seen[ids[2]] = true
		wait(24 * time.Hour)
	}
	if len(seen) != n {
		t.Errorf("%d puzzles of loa in %d days, want all", len(seen), n)
	}
}

// TestLessons lists the steps of each game, which all have a turn that reaches the goal.
func TestLessons(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{})
	for _, g := range games.All() {
		steps, _ := s.want(s.get("/api/lessons?game="+g.Name), http.StatusOK, "").body["steps"].([]any)
		if len(steps) > 0 && len(steps) < 5 {
			t.Errorf("%s: %d steps", g.Name, len(steps))
		}
		for _, step := range steps {
			if turns, ok := step.(map[string]any)["turns"].([]any); ok && len(turns) == 0 {
				t.Errorf("%s: %v", g.Name, step)
			}
		}
	}
	s.want(s.get("/api/lessons?game=go"), http.StatusBadRequest, "invalid")
}

// TestReplayLists asks for the legal moves at the end of a replay.
func TestReplayLists(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{})
	names := func(body string) (list []string) {
		moves, _ := s.want(s.post("/api/replay", body), http.StatusOK, "").body["moves"].([]any)
		for _, m := range moves {
			list = append(list, m.(map[string]any)["move"].(string))
		}
		return list
	}
	if got := names(`{"game":"othello","moves":["f4"],"list":true}`); !slices.Equal(got, []string{"f3", "d3", "f5"}) && len(got) != 3 {
		t.Errorf("%q, want three moves", got)
	}
	if got := names(`{"game":"othello"}`); got != nil {
		t.Errorf("%q without list", got)
	}
}
