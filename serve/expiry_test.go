package serve

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// retention lets several sweeps pass, and not too much simulated time: a server does something every second of it.
const retention = 25 * time.Minute

// TestExpiry aborts expired games that never began, and no others: slow games and games
// with a clock stay.
func TestExpiry(t *testing.T) {
	cases := []struct {
		name, body string
		do         []string // addresses and bodies
		want       live.State
	}{
		{"no opponent", `{"game":"loa"}`, nil, live.Finished},
		{"one waits", `{"game":"loa","as":"first"}`, nil, live.Finished},
		{"one waits, and has moved", `{"game":"othello","as":"first"}`, []string{"moves", `{"move":"f4"}`}, live.Finished},
		{"no move", `{"game":"othello","as":"first"}`, []string{"seats/second", `{}`}, live.Finished},
		{"it is played", `{"game":"othello","as":"first"}`, []string{"seats/second", `{}`, "moves", `{"move":"f4"}`}, live.Live},
		{"it is played with days for a turn", `{"game":"othello","as":"first","clock":{"days":60}}`, []string{"seats/second", `{}`}, live.Live},
	}
	synctest.Test(t, func(t *testing.T) {
		g := &clocked{t: t}
		g.serve(live.NewMemory(), Config{Hold: -1, OpenRetention: retention})
		ids := make([]string, len(cases))
		for i, c := range cases {
			var made struct{ ID, Token string }
			g.ask("POST", "/api/games", c.body, http.StatusCreated, &made)
			ids[i], g.tokens[0] = made.ID, made.Token
			for j := 0; j < len(c.do); j += 2 {
				g.ask("POST", "/api/games/"+made.ID+"/"+c.do[j], c.do[j+1], http.StatusOK, &struct{}{})
			}
		}
		state := func(i int) live.State {
			var v struct{ State live.State }
			g.ask("GET", "/api/games/"+ids[i], "", http.StatusOK, &v)
			return v.State
		}
		time.Sleep(retention - time.Minute)
		for i, c := range cases {
			if state(i) == live.Finished {
				t.Errorf("%s: it is over before its time", c.name)
			}
		}
		time.Sleep(expiryEvery + 2*time.Minute)
		for i, c := range cases {
			if got := state(i); got != c.want {
				t.Errorf("%s: it is %s, want %s", c.name, got, c.want)
			}
		}
	})
}

// TestIdle checks that a game without a clock that both players left ends by abandonment
// once its time has come, and that days for a turn are left to the clock.
func TestIdle(t *testing.T) {
	const idle = 8 * 24 * time.Hour
	for _, c := range []struct{ name, clock, reason string }{
		{"no clock", ``, "abandonment"},
		{"days for a turn", `,"clock":{"days":60}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, l, config := &clocked{t: t}, live.NewMemory(), Config{Hold: -1, IdleRetention: idle}
				g.serve(l, config)
				var made struct{ ID, Token string }
				g.ask("POST", "/api/games", `{"game":"othello","as":"first"`+c.clock+`}`, http.StatusCreated, &made)
				g.id, g.tokens[0] = made.ID, made.Token
				g.ask("POST", "/api/games/"+g.id+"/seats/second", `{}`, http.StatusOK, &struct{}{})
				g.ask("POST", "/api/games/"+g.id+"/moves", `{"move":"f4"}`, http.StatusOK, &struct{}{})
				reason := func() string {
					var v struct{ Result, Reason string }
					g.ask("GET", "/api/games/"+g.id, "", http.StatusOK, &v)
					if v.Reason != "" && v.Result != "first wins" {
						t.Errorf("%s, want a win for the side that has moved", v.Result)
					}
					return v.Reason
				}
				pass(t, g, l, idle-10*time.Minute)
				g.serve(l, config)
				if got := reason(); got != "" {
					t.Errorf("it ends by %s before its time", got)
				}
				time.Sleep(expiryEvery + 20*time.Minute)
				if got := reason(); got != c.reason {
					t.Errorf("it ends by %q, want %q", got, c.reason)
				}
			})
		})
	}
}

// pass stops the server, and lets time pass: the wall clock, and the service clock by a
// heartbeat. A server that runs for days would write one every second.
func pass(t *testing.T, g *clocked, l live.Log, d time.Duration) {
	t.Helper()
	if err := g.server.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(d)
	last, err := l.LastHeartbeat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.WriteHeartbeat(t.Context(), last.Seq, live.Heartbeat{Service: last.Service + d.Milliseconds(), Epoch: last.Epoch}); err != nil {
		t.Fatal(err)
	}
}

// TestNoExpiry checks that games stay open for as long as the operator says.
func TestNoExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &clocked{t: t}
		g.serve(live.NewMemory(), Config{Hold: -1, OpenRetention: -1})
		var made struct{ ID string }
		g.ask("POST", "/api/games", `{"game":"loa"}`, http.StatusCreated, &made)
		time.Sleep(retention)
		var v struct{ State live.State }
		if g.ask("GET", "/api/games/"+made.ID, "", http.StatusOK, &v); v.State != live.Open {
			t.Errorf("it is %s, want it open", v.State)
		}
	})
}
