package tui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quintet/tui/remote"
)

// round is a tournament of three between two rounds of which the user is second, and gone the last game of the user.
const (
	round = `{"title":"No 7","form":"robin","phase":"running","players":3,"round":2,"running":1,"now":"2026-11-21T12:00:00Z","next":"2026-11-21T12:00:09.500Z",
		"you":{"rank":2,"player":1,"name":"Al","game":GAME},
		"standings":[{"rank":1,"player":3,"name":"Cy","points":1.5,"wins":1,"draws":1},{"rank":2,"player":1,"name":"Al","points":1,"wins":1,"losses":1},{"rank":3,"player":2,"name":"Bo \u001b[31m","points":0,"withdrawn":true}],
		"boards":[{"id":"bbb","names":{"first":"Cy","second":"Al"},"result":"½-½"},{"id":"ggg","names":{"first":"Al","second":"Bo \u001b[31m"},"result":""},{"id":"","names":{"first":"Bo","second":""},"result":"1"}]}`
	gone = `{"game":"othello","options":{"size":"6"},"start":"6/6/2OX2/2XO2/6/6 X","moves":["b3"],"state":"live","result":"ongoing","clock":{"main":60,"increment":2},
		"clocks":{"first":62000,"second":9400},"running":true,"seats":{"first":{"name":"Al"},"second":{"name":"Bo \u001b[31m"}},"asked":{"first":["draw"],"second":["draw"]},"you":YOU,"events":4}`
)

// openTournament opens the tournament of a server that answers with the texts. Its streams never say anything.
func (h *harness) openTournament(game, you string) *tournament {
	h.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/events"):
			<-r.Context().Done()
		case strings.HasPrefix(r.URL.Path, "/api/games/"):
			_, _ = w.Write([]byte(strings.Replace(gone, "YOU", you, 1)))
		default:
			_, _ = w.Write([]byte(strings.Replace(round, "GAME", game, 1)))
		}
	}))
	h.Cleanup(func() { // before the server closes, nobody waits for it any more
		h.stop()
		h.app.Wait()
		s.Close()
	})
	h.app.Tournament(remote.Client{Base: s.URL}, "ttt")
	t := h.app.shared.top().(*tournament)
	h.run(h.app.first)
	h.until("the tournament", func() bool { return t.view.Title != "" })
	return t
}

// TestTourWatch opens a board by keyboard and goes back; a spectator cannot move. Then the user's game is paired: it
// opens by itself in place of what is shown.
func TestTourWatch(t *testing.T) {
	h := newHarness(t, 80, 24)
	s := h.openTournament("null", "[]")
	h.press("down", "down", "enter")
	if got := h.screen(); !strings.Contains(got, "There is no game to show yet.") {
		t.Errorf("a bye is shown:\n%s", got)
	}
	h.press("up", "enter")
	h.until("the game", func() bool { return h.app.shared.top() != screen(s) })
	h.press(":", "b2", "enter")
	if got := h.screen(); !strings.Contains(got, "you watch this game") || !strings.Contains(got, "White to move") {
		t.Errorf("a spectator moves:\n%s", got)
	}
	h.press("q")
	if got := h.screen(); h.app.shared.top() != screen(s) || !strings.Contains(got, "the next round begins in 0:09.5") {
		t.Errorf("after going back:\n%s", got)
	}
	h.press("enter")
	h.until("the game again", func() bool { return h.app.shared.top() != screen(s) })
	first := h.app.shared.top()
	v := s.view
	v.You = &remote.You{Game: &remote.Board{ID: "ours"}}
	h.run(s.show(v, nil))
	h.until("the user's game", func() bool { return h.app.shared.top() != first })
	if l, ok := h.app.shared.top().(*serverGame); !ok || l.path != "/api/games/ours" || len(h.app.shared.stack) != 3 {
		t.Errorf("what is shown is %T on %d screens", h.app.shared.top(), len(h.app.shared.stack))
	}
	h.press("q", "q")
	if !s.closed || len(h.app.shared.stack) != 1 {
		t.Errorf("after leaving, there are %d screens", len(h.app.shared.stack))
	}
	v.You.Game.ID = "late"
	if cmd := s.show(v, nil); cmd != nil || len(h.app.shared.stack) != 1 {
		t.Error("an answer that comes after leaving opens a game")
	}
}
