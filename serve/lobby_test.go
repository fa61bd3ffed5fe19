package serve

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/play"
)

// glance is what who looks for a game to play must know of one.
type glance struct {
	State, Result, Reason string
	First, Second         string // the players
	Ply                   int
}

func (d *delayed) glances(query string) (list, view glance) {
	d.t.Helper()
	type shown struct {
		State, Result, Reason string
		Ply                   int
		Seats                 api.Both[*play.SeatView]
	}
	glance := func(s shown) glance {
		g := glance{State: s.State, Result: s.Result, Reason: s.Reason, Ply: s.Ply}
		for _, seat := range []struct {
			seat *play.SeatView
			name *string
		}{{s.Seats.First, &g.First}, {s.Seats.Second, &g.Second}} {
			if seat.seat != nil {
				*seat.name = seat.seat.Name
			}
		}
		return g
	}
	var all struct{ Games []shown }
	if status := d.ask("GET", "/api/games"+query, "", &all); status != http.StatusOK || len(all.Games) != 1 {
		d.t.Fatalf("the list: %d, %+v, want one game", status, all)
	}
	var one shown
	if status := d.ask("GET", "/api/games/"+d.id, "", &one); status != http.StatusOK {
		d.t.Fatalf("the game: %d", status)
	}
	return glance(all.Games[0]), glance(one)
}

// TestListAndViewAgree checks that the list says no more of a delayed game than its view:
// who its players are, and that it was called off.
func TestListAndViewAgree(t *testing.T) {
	sit := live.Command{Do: live.Sit, Side: game.Second, Player: live.Player{Name: "Ben", Secret: "b"}}
	move := live.Command{Do: live.Move, Side: game.First, Move: "a1c1", Ply: -1}
	resign := live.Command{Do: live.Resign, Side: game.First}
	waits := glance{State: "open", Result: "ongoing", First: "Ann"}
	plays := glance{State: "live", Result: "ongoing", First: "Ann", Second: "Ben"}
	for name, c := range map[string]struct {
		do   []live.Command
		want glance
	}{
		"no opponent":                {nil, waits},
		"a move without an opponent": {[]live.Command{move}, waits},
		"the other has come":         {[]live.Command{sit}, plays},
		"they have played a move":    {[]live.Command{sit, move}, plays},
		"it is over":                 {[]live.Command{sit, move, resign}, plays},
		"it was called off":          {[]live.Command{resign}, glance{State: "over", Result: "aborted", Reason: "aborted", First: "Ann"}},
		"called off after a move":    {[]live.Command{move, resign}, glance{State: "over", Result: "aborted", Reason: "aborted", First: "Ann"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDelayed(t, Config{Hold: -1}, 60)
			d.id = "abcdefgh2343"
			s := live.Settings{Game: "loa", Seats: [2]live.Player{{Name: "Ann", Secret: live.HashSecret("ann")}}, Delay: 60}
			if err := d.server.hall.Open(t.Context(), d.id, s, ""); err != nil {
				t.Fatal(err)
			}
			for _, do := range c.do {
				d.do(do)
			}
			time.Sleep(time.Second) // the list is told
			list, view := d.glances("?game=loa")
			if diff := cmp.Diff(c.want, list); diff != "" {
				t.Errorf("%s: the list (-want +got):\n%s", name, diff)
			}
			if diff := cmp.Diff(c.want, view); diff != "" {
				t.Errorf("%s: the game (-want +got):\n%s", name, diff)
			}
		})
	}
}
