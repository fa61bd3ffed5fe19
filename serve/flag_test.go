package serve

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
)

// TestMoveInFlight checks that the server delays the flag for a move that was sent in
// time, and no longer.
func TestMoveInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClocked(t, live.NewMemory(), Config{Hold: -1})
		time.Sleep(300*time.Second + 150*time.Millisecond)
		move := live.Command{Do: live.Move, Side: game.First, Move: "e2e4", Ply: 0, Lag: 160}
		if _, err := c.server.hall.Do(t.Context(), c.id, move); err != nil {
			t.Fatalf("a move that was 160 ms on its way, 150 ms after zero: %v", err)
		}
		if got := c.left(); got != [2]int64{10, 300_000} {
			t.Errorf("the clocks are %v, want 10 ms left", got)
		}
		c.ply++
		time.Sleep(300*time.Second + live.MaxLag*time.Millisecond - time.Millisecond)
		if v := c.game(); v.State != live.Live || v.Clocks.Second != 0 {
			t.Errorf("a millisecond before no move can come any more the game is %s, with %d ms left, want it live with 0", v.State, v.Clocks.Second)
		}
		time.Sleep(5 * time.Millisecond)
		if v := c.game(); v.State != live.Finished || v.Result != "first wins" || v.Reason != live.ReasonTime {
			t.Errorf("when no move can come any more the game is %s: %s, %s; want it lost by time", v.State, v.Result, v.Reason)
		}
	})
}

// TestDrawAfterZero checks that a draw accepted after zero is rejected as late, and that
// the game has then ended on time.
func TestDrawAfterZero(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClocked(t, live.NewMemory(), Config{Hold: -1})
		if _, err := c.server.hall.Do(t.Context(), c.id, live.Command{Do: live.Offer, Side: game.Second}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300*time.Second + 100*time.Millisecond)
		var p Problem
		c.ask("POST", "/api/games/"+c.id+"/accept", "", http.StatusConflict, &p)
		if v := c.game(); p.Code != "time" || v.Reason != live.ReasonTime {
			t.Errorf("the answer is %q, and the game ends by %q, want time for both", p.Code, v.Reason)
		}
	})
}

// game returns the game as the player to move sees it.
func (c *clocked) game() (v View) {
	c.t.Helper()
	c.ask("GET", "/api/games/"+c.id, "", http.StatusOK, &v)
	return v
}
