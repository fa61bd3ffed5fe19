package serve

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"

	"quintet/live"
)

// TestDiskOfClient checks that an address may have a limited number of bytes stored, that only what is
// stored counts, and that neither others nor the clocks are stopped by an address at its limit.
func TestDiskOfClient(t *testing.T) {
	log := &fullLog{Log: live.NewMemory()}
	s, err := New(t.Context(), log, Config{Hold: -1, TrustProxy: true, DiskRate: Rate{Burst: 30_000, Second: 1}}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	s.Ready.Store(true)
	send := func(from, path, token, body string) (status int, text string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("X-Forwarded-For", from)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code == http.StatusTooManyRequests && !strings.Contains(w.Body.String(), `"reason":"limited.disk"`) {
			t.Errorf("refused with %s", w.Body)
		}
		return w.Code, w.Body.String()
	}
	refusedAfter := func(from, path, body string) (n int) {
		for n < 300 {
			if status, _ := send(from, path, "", body); status == http.StatusTooManyRequests {
				break
			}
			n++
		}
		return n
	}
	const study = `{"game":"chess","moves":["a2a3"]}`
	for _, c := range []struct {
		name, from, path, body string
		least, most            int // requests before it is refused
	}{
		{"replays", "192.0.2.1", "/api/replay", `{"game":"chess"}` + strings.Repeat(" ", 20_000), 300, 300},
		{"refused games", "192.0.2.2", "/api/games", `{"game":"nothing"}`, 300, 300},
		{"small studies", "192.0.2.3", "/api/studies", study, 50, 100},
		{"large studies", "192.0.2.4", "/api/studies", `{"game":"chess","record":"[Game \"chess\"]\n\n1. a2a3 {` + strings.Repeat("x", 1900) + `}"}`, 8, 14},
	} {
		if n := refusedAfter(c.from, c.path, c.body); n < c.least || n > c.most {
			t.Errorf("%s: %d requests before one is refused, want %d to %d", c.name, n, c.least, c.most)
		}
	}
	log.full.Store(true)
	if n := refusedAfter("192.0.2.5", "/api/studies", study); n < 300 {
		t.Errorf("%d studies that could not be written, and then one is refused for the quota", n)
	}
	log.full.Store(false)
	var first, second struct{ ID, Token string }
	_, text := send("192.0.2.6", "/api/games", "", `{"game":"chess","as":"first"}`)
	if err := json.Unmarshal([]byte(text), &first); err != nil {
		t.Fatal(err, text)
	}
	_, text = send("192.0.2.6", "/api/games/"+first.ID+"/seats/second", "", `{}`)
	if err := json.Unmarshal([]byte(text), &second); err != nil {
		t.Fatal(err, text)
	}
	refusedAfter("192.0.2.6", "/api/studies", study)
	for i, move := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
		token, body := []string{first.Token, second.Token}[i%2], `{"move":"`+move+`"}`
		switch status, text := send("192.0.2.6", "/api/games/"+first.ID+"/moves", token, body); {
		case status == http.StatusOK && i < 3:
			continue // what is left is less than a study, but enough for a move
		case status != http.StatusTooManyRequests || s.clock.Stopped(s.Now()):
			t.Errorf("a move of an address at its limit: %d %s; the clocks are stopped: %t", status, text, s.clock.Stopped(s.Now()))
		}
		if status, text := send("192.0.2.7", "/api/games/"+first.ID+"/moves", token, body); status != http.StatusOK {
			t.Errorf("the same move of another address: %d %s", status, text)
		}
		break
	}
}

// TestDiskOfSocket checks that moves by a socket count, and pings do not.
func TestDiskOfSocket(t *testing.T) {
	running(t, Config{TrustProxy: true, DiskRate: Rate{Burst: 100, Second: 1}}, func(r *ran) {
		player := live.Player{Name: "a", Secret: live.HashSecret("a")}
		r.id = "bbcdefgh234f"
		if err := r.server.hall.Open(r.t.Context(), r.id, live.Settings{Game: "othello", Seats: [2]live.Player{player, player}}, ""); err != nil {
			r.t.Fatal(err)
		}
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return r.dial(), nil }}}
		header := http.Header{"X-Forwarded-For": {"192.0.2.1"}, "Authorization": {"Bearer a"}}
		c, _, err := websocket.Dial(r.t.Context(), "ws://x/api/games/"+r.id+"/socket", &websocket.DialOptions{HTTPClient: client, HTTPHeader: header}) //nolint:bodyclose // the library closes it
		if err != nil {
			r.t.Fatal(err)
		}
		defer func() { _ = c.CloseNow() }()
		frames := make(chan []byte, 100)
		go func() {
			defer close(frames)
			for {
				_, data, err := c.Read(r.t.Context())
				if err != nil {
					return
				}
				frames <- data
			}
		}()
		synctest.Wait() // until the server has pinged: these connections keep nothing, so a ping and a frame would wait for each other
		ask := func(frame string) (a reply) {
			if err := c.Write(r.t.Context(), websocket.MessageText, []byte(frame)); err != nil {
				r.t.Fatal(err)
			}
			for data := range frames {
				if err := json.Unmarshal(data, &a); err != nil || a.Kind == "reply" {
					break
				}
			}
			return a
		}
		for range 9 {
			if a := ask(`{"do":"ping"}`); a.Status != http.StatusOK {
				r.t.Errorf("a ping: %+v", a.Problem)
			}
		}
		if a := ask(`{"do":"move","move":"e3","side":"first"}`); a.Status != http.StatusTooManyRequests || a.Problem.Reason != "limited.disk" {
			r.t.Errorf("a move: %d, %+v", a.Status, a.Problem)
		}
	})
}
