package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
)

// ask makes a request of a stranger, and reads the answer.
func (d *delayed) ask(method, path, body string, out any, headers ...string) (status int) {
	d.t.Helper()
	r := httptest.NewRequestWithContext(d.t.Context(), method, path, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.server.Handler().ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), out); err != nil {
		d.t.Fatalf("%s: %v", w.Body, err)
	}
	return w.Code
}

// row is a game as a list shows it.
type row struct {
	State, Result, Reason string
	Ply                   int
	Moved                 bool // it was updated after it was created
}

func (d *delayed) list(query string) (rows []row) {
	d.t.Helper()
	var answer struct {
		Games []struct {
			row
			Created, Updated string
		}
	}
	if status := d.ask("GET", "/api/games"+query, "", &answer); status != http.StatusOK {
		d.t.Fatalf("the list%s: %d", query, status)
	}
	for _, g := range answer.Games {
		g.Moved = g.Created != g.Updated
		rows = append(rows, g.row)
	}
	return rows
}

// silentLog is a log that does not say where it ends while it is silent.
type silentLog struct {
	live.Log
	silent atomic.Bool
}

// Last implements live.Log.
func (l *silentLog) Last(ctx context.Context) (uint64, error) {
	if l.silent.Load() {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return l.Log.Last(ctx)
}

// TestListIsBehind checks that the list delays every field of a delayed game as for its
// spectators, and shows its end in time though the log does not answer.
func TestListIsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &silentLog{Log: live.NewMemory()}
		d := newDelayedOn(t, l, Config{Hold: -1}, 60)
		time.Sleep(time.Second)
		d.play(3)
		d.do(live.Command{Do: live.Resign})
		time.Sleep(59 * time.Second)
		running := []row{{State: "live", Result: "ongoing"}}
		over := []row{{State: "over", Result: "second wins", Reason: "resignation", Ply: 3, Moved: true}}
		wants := func(when string, want map[string][]row) {
			t.Helper()
			for query, rows := range want {
				if diff := cmp.Diff(rows, d.list(query)); diff != "" {
					t.Errorf("the list%s %s (-want +got):\n%s", query, when, diff)
				}
			}
		}
		wants("before the end can be seen", map[string][]row{
			"": running, "?state=live": running, "?state=over": nil, "?state=live&player=Ann&game=connect6&limit=1": running, "?state=live&game=loa": nil,
		})
		l.silent.Store(true)
		time.Sleep(2*time.Second + revealTick)
		wants("after that", map[string][]row{"": over, "?state=live": nil, "?state=over": over, "?state=over&player=Ben": over})
	})
}

// TestSeatsTellNothing gives the same answer to requests for seats of a delayed game,
// whatever has happened in it.
func TestSeatsTellNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelayed(t, Config{Hold: -1}, 60)
		path := "/api/games/" + d.id + "/seats/first"
		look := func() (answers []Problem) {
			for _, body := range []string{`{"name":"Eve"}`, `{"name":"<b>"}`, `{"name":"` + strings.Repeat("e", 50) + `"}`} {
				var p Problem
				d.ask("POST", path, body, &p)
				answers = append(answers, p)
			}
			return answers
		}
		before := look()
		if p := before[0]; p.Code != "taken" || p.Ply != nil {
			t.Errorf("the answer to a request for a seat: %+v, want that it is not free, and no ply", p)
		}
		d.play(3)
		if diff := cmp.Diff(before, look(), cmp.AllowUnexported(Problem{})); diff != "" {
			t.Errorf("three moves later (-before +after):\n%s", diff)
		}
		d.do(live.Command{Do: live.Resign})
		if diff := cmp.Diff(before, look(), cmp.AllowUnexported(Problem{})); diff != "" {
			t.Errorf("when the game is over (-before +after):\n%s", diff)
		}
		var p Problem
		if status := d.ask("POST", path, `{"name":"Ben"}`, &p, "Authorization", "Bearer ben"); status != http.StatusConflict || p.Code != "over" || p.Ply == nil {
			t.Errorf("the answer to a player: %d %+v, want that the game is over", status, p)
		}
	})
}

// TestOpenedAgainIsBehind: repeating the request that opened a delayed game reveals no more
// than spectators see.
func TestOpenedAgainIsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelayed(t, Config{Hold: -1}, 60)
		open := func(body string) (v View, side string) {
			var made struct {
				ID, Side string
				View     View
			}
			if status := d.ask("POST", "/api/games", body, &made, "Idempotency-Key", "0123456789abcdef"+body[len(body)-4:]); status != http.StatusCreated {
				t.Fatalf("opening a game: %d", status)
			}
			d.id = made.ID
			return made.View, made.Side
		}
		for body, want := range map[string]int{`{"game":"loa","delay":60}`: 0, `{"game":"loa","delay":60,"as":"first"}`: 2} {
			first, _ := open(body)
			for _, side := range []game.Side{game.First, game.Second} {
				if first.Seats.First == nil || side == game.Second {
					d.do(live.Command{Do: live.Sit, Side: side, Player: live.Player{Name: "Ann", Secret: "x"}})
				}
			}
			d.play(2)
			again, side := open(body)
			if again.ID != first.ID || again.Ply != want {
				t.Errorf("%s again, with the seat %q, shows game %s at ply %d, want %s at %d", body, side, again.ID, again.Ply, first.ID, want)
			}
		}
	})
}

// TestLookingIsCheap checks that a view of a long delayed game replays nothing: the
// server keeps the delayed state and applies only new events. Otherwise frequent views
// would overload it.
func TestLookingIsCheap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelayed(t, Config{Hold: -1}, 1)
		d.talk(150)
		time.Sleep(1100 * time.Millisecond)
		var v View
		if d.ask("GET", "/api/games/"+d.id, "", &v); v.Events != 301 {
			t.Fatalf("%d events can be seen, want 301", v.Events)
		}
		room := d.server.hall.Loaded(d.id)
		var kept, later *live.Table
		view := func(to **live.Table) {
			if err := room.ViewAs(nil, func(t *live.Table) { *to = t }); err != nil {
				t.Fatal(err)
			}
		}
		view(&kept)
		for range 5 {
			d.ask("GET", "/api/games/"+d.id, "", &v)
		}
		view(&later)
		if later != kept || kept.EventCount() != 301 {
			t.Errorf("the game is replayed for a look: %d events in %p, and %p before", kept.EventCount(), later, kept)
		}
	})
}

// TestRatingsWait checks that the pages of people do not reveal the result of a rated game before its delay is over.
func TestRatingsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelayed(t, Config{Hold: -1}, 60)
		time.Sleep(time.Second)
		type made struct{ ID, Token string }
		post := func(path, body, token string) (m made) {
			t.Helper()
			var headers []string
			if token != "" {
				headers = []string{"Authorization", "Bearer " + token}
			}
			if status := d.ask("POST", path, body, &m, headers...); status >= 300 {
				t.Fatalf("%s: %d", path, status)
			}
			return m
		}
		account := func(name string) string {
			return post("/api/accounts", `{"name":"`+name+`","password":"an apple a day"}`, "").Token
		}
		ann, ben := account("Ann"), account("Ben")
		first := post("/api/games", `{"game":"loa","clock":{"main":300},"rated":true,"delay":60,"as":"first","name":""}`, ann)
		look := func() (seen []any) {
			t.Helper()
			for _, name := range []string{"Ann", "Ben"} {
				for _, path := range []string{"", "/ratings", "/games?result=won", "/games?result=lost"} {
					var v any
					if status := d.ask("GET", "/api/people/"+name+path, "", &v); status != http.StatusOK {
						t.Fatalf("%s%s: %d", name, path, status)
					}
					seen = append(seen, v)
				}
			}
			return seen
		}
		before := look()
		path := "/api/games/" + first.ID
		post(path+"/seats/second", `{"name":""}`, ben)
		post(path+"/moves", `{"move":"a1c1"}`, first.Token)
		post(path+"/resign", `{}`, first.Token)
		time.Sleep(59 * time.Second)
		if diff := cmp.Diff(before, look()); diff != "" {
			t.Errorf("before the delay is over (-before the game +now):\n%s", diff)
		}
		time.Sleep(65*time.Second + 2*revealTick)
		for i, seen := range look() {
			if (i%4 != 2 || i > 4) && (i%4 != 3 || i < 4) && cmp.Equal(seen, before[i]) { // Ann has won nothing, and Ben lost nothing
				t.Errorf("after the delay, answer %d is as before the game: %v", i, seen)
			}
		}
	})
}
