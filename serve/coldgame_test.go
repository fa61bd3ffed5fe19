package serve

import (
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"

	"quintet/game"
	"quintet/live"
)

// TestColdGame checks that loading a game from the log takes a slot, and that a game in memory needs none.
func TestColdGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := live.NewMemory()
		s, err := New(t.Context(), log, Config{Hold: -1}.SharePages())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		const warm, cold = "bbcdefgh2345", "ccdefghj2345"
		settings := live.Settings{Game: "othello", Options: game.Setup{"size": "8"}}
		opens(t, s.hall, warm, settings)
		e, err := live.OpenTable(cold, settings, "", live.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Encode()
		if err == nil {
			_, err = log.Append(t.Context(), cold, 0, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := func(id string, status int) {
			t.Helper()
			if got := request(t, s, http.MethodGet, "/api/games/"+id, "").Code; got != status {
				t.Errorf("%s: status %d, want %d", id, got, status)
			}
		}
		var all []func()
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			done, err := s.Slot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, done)
		}
		want(warm, http.StatusOK)
		want(cold, http.StatusServiceUnavailable)
		for _, done := range all {
			done()
		}
		want(cold, http.StatusOK)
	})
}
