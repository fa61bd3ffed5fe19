package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
)

// TestTournamentEngines plays a round robin of a person and two levels while twenty addresses have a game between engines
// each. The person waits for the game of the levels, so it does not wait for these.
func TestTournamentEngines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1, newPlayer: func(name string, g game.Game, o bots.Options) (engine.Player, error) {
			p, err := bots.NewPlayer(name, g, o)
			return sluggish{p, time.Second}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		s.Start(context.Background())
		defer func() { _ = s.Close() }()
		token := ""
		do := func(address, method, path, body string) (v map[string]any) {
			t.Helper()
			r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
			r.RemoteAddr = address + ":1234"
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			w := httptest.NewRecorder()
			if s.Handler().ServeHTTP(w, r); w.Code >= http.StatusBadRequest || json.Unmarshal(w.Body.Bytes(), &v) != nil {
				t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
			return v
		}
		for i := range 20 {
			address := fmt.Sprint("198.51.100.", i)
			g := do(address, "POST", "/api/games", `{"game":"othello","seats":{"first":"random","second":"random"}}`)
			do(address, "GET", "/api/games/"+g["id"].(string), "")
		}
		const host = "192.0.2.1"
		token = do(host, "POST", "/api/accounts", `{"name":"Olga","password":"correct horse"}`)["token"].(string)
		path := "/api/tournaments/" + do(host, "POST", "/api/tournaments", `{"title":"Evening","form":"robin","pause":0,"rounds":1,"games":[{"game":"othello","options":{"size":"4"}}],"clock":{"main":600}}`)["id"].(string)
		do(host, "POST", path+"/players", `{}`)
		do(host, "POST", path+"/levels", `{"level":1}`)
		do(host, "POST", path+"/levels", `{"level":2}`)
		do(host, "POST", path+"/start", "")
		began, last := time.Now(), ""
		for {
			time.Sleep(time.Second)
			v := do(host, "GET", path, "")
			if v["phase"] == "over" {
				break
			}
			you, _ := v["you"].(map[string]any)
			mine, _ := you["game"].(map[string]any)
			if id, _ := mine["id"].(string); id != "" && id != last {
				last = id
				do(host, "POST", "/api/games/"+id+"/resign", "")
			}
		}
		if took := time.Since(began); took > time.Minute { // 3 s for each move of the levels; with turns for all addresses, 20 s
			t.Errorf("it is over after %s, want less than a minute", took)
		}
	})
}
