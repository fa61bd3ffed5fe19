package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// plays opens a game between two people, whose tokens are a and b.
func (r *ran) plays(s live.Settings) {
	r.t.Helper()
	r.id, s.Game = "abcdefgh234g", "othello"
	s.Seats = [2]live.Player{{Name: "Ann", Secret: live.HashSecret("a")}, {Name: "Ben", Secret: live.HashSecret("b")}}
	if err := r.server.hall.Open(r.t.Context(), r.id, s, ""); err != nil {
		r.t.Fatal(err)
	}
}

// as sends a GET request with a token, or without one.
func (r *ran) as(token, path string) net.Conn {
	text := get("/api/games/" + r.id + path)
	if token != "" {
		text = strings.Replace(text, "\n\n", "\nAuthorization: Bearer "+token+"\n\n", 1)
	}
	return r.says(text)
}

// shown returns the game as the holder of a token sees it.
func (r *ran) shown(token string) (v View) {
	r.t.Helper()
	_, data, err := r.answered(r.as(token, ""), 64<<10, 0)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

// herePlayers returns the connected players of each presence message in a stream.
func herePlayers(t *testing.T, from io.Reader) (list []string) {
	for in := bufio.NewScanner(from); in.Scan(); {
		var m struct {
			Here api.Both[*hall.Presence] `json:"presence"`
		}
		if !strings.HasPrefix(in.Text(), `{"kind":"presence"`) {
			continue
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			t.Error(err)
			return list
		}
		text := ""
		for i, p := range []*hall.Presence{m.Here.First, m.Here.Second} {
			if p != nil && p.Here {
				text += "ab"[i : i+1]
			}
		}
		list = append(list, text)
	}
	return list
}

// TestPresence checks the presence events of spectators, as lines and over a WebSocket,
// while players come and go.
func TestPresence(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		r.plays(live.Settings{Clock: live.TimeControl{Main: 300}})
		asked, quiet := r.as("", "/events?presence=1"), r.as("", "/events")
		said := make(chan []string, 3)
		for _, c := range []net.Conn{asked, quiet} {
			go func() { said <- herePlayers(r.t, c) }()
		}
		time.Sleep(20 * time.Second)
		player := r.as("a", "/events")
		go func() { _, _ = io.Copy(io.Discard, player) }()
		time.Sleep(20 * time.Second)
		_ = player.Close()
		time.Sleep(30 * time.Second)
		p := r.shown("").Here
		if p.First.Here || p.First.Away < 20_000 || p.Second.Here || p.Second.Away < 60_000 || *p.First.ClaimWin != 59_999 {
			r.t.Errorf("presence %+v, %+v: want both away, and no claim", p.First, p.Second)
		}
		r.says(strings.Replace(get("/api/games/"+r.id), "\n\n", "\nCookie: "+"quintet_"+r.id+"_first"+"=a\n\n", 1)) // does not count
		r.shown("b")
		time.Sleep(time.Second)
		_, _ = asked.Close(), quiet.Close()
		one, other := <-said, <-said
		if len(one) == 0 {
			one, other = other, one
		}
		if diff := cmp.Diff([]string{"ab", "", "a", "", "b"}, one); diff != "" || len(other) > 0 {
			r.t.Errorf("a client with presence=1 got (-want +got):\n%s and one without %q", diff, other)
		}
	})
}

// TestPresenceOverSocket checks that a player is here while its socket is open, and that
// sockets tell presence to those who ask.
func TestPresenceOverSocket(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		r.plays(live.Settings{})
		socket := func(token, query string) *websocket.Conn {
			client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return r.dial(), nil }}}
			c, _, err := websocket.Dial(r.t.Context(), "ws://x/api/games/"+r.id+"/socket"+query, &websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}}) //nolint:bodyclose // the library closes it
			if err != nil {
				r.t.Fatal(err)
			}
			return c
		}
		first, second := socket("a", "?presence=1"), socket("b", "")
		said := make(chan []string, 2)
		for _, c := range []*websocket.Conn{first, second} {
			go func() {
				var all strings.Builder
				for {
					_, data, err := c.Read(context.Background())
					if err != nil {
						break
					}
					all.Write(append(data, '\n'))
				}
				said <- herePlayers(r.t, strings.NewReader(all.String()))
			}()
		}
		time.Sleep(10 * time.Minute)
		if p := r.shown("a").Here; !p.First.Here || !p.Second.Here || p.First.Away != 0 {
			r.t.Errorf("presence %+v, %+v: want both here", p.First, p.Second)
		}
		_ = second.CloseNow()
		if got := <-said; len(got) > 0 {
			r.t.Errorf("a client without presence=1 got %q", got)
		}
		time.Sleep(10 * time.Second)
		_ = first.CloseNow()
		if diff := cmp.Diff([]string{"ab", "a"}, <-said); diff != "" {
			r.t.Errorf("a client with presence=1 got (-want +got):\n%s", diff)
		}
	})
}

// TestPresenceIsHidden checks that delayed spectators get no presence events, and neither do
// clients any of an engine.
func TestPresenceIsHidden(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		r.plays(live.Settings{Delay: 60})
		stream := r.as("", "/events?presence=1")
		said := make(chan []string, 1)
		go func() { said <- herePlayers(r.t, stream) }()
		time.Sleep(time.Minute)
		if p := r.shown("").Here; p.First != nil || p.Second != nil {
			r.t.Errorf("a delayed spectator is shown the presence %+v, %+v, want none", p.First, p.Second)
		}
		if p := r.shown("a").Here; p.First == nil || p.Second == nil || p.Second.Here {
			r.t.Errorf("a player is shown the presence %+v, %+v, want the other away", p.First, p.Second)
		}
		time.Sleep(time.Minute)
		_ = stream.Close()
		if got := <-said; len(got) > 0 {
			r.t.Errorf("a delayed spectator got %q", got)
		}
		r.id = "abcdefgh234h"
		seats := [2]live.Player{{Name: "Ann", Secret: live.HashSecret("a")}, {Name: "level:1", Engine: "level:1"}}
		if err := r.server.hall.Open(r.t.Context(), r.id, live.Settings{Game: "loa", Seats: seats}, ""); err != nil {
			r.t.Fatal(err)
		}
		if p := r.shown("a").Here; p.First == nil || p.Second != nil {
			r.t.Errorf("against an engine the presence is %+v, %+v, want the person's alone", p.First, p.Second)
		}
	})
}
