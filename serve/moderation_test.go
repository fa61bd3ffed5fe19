package serve_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// moderate writes a ruling into a log.
func moderate(t *testing.T, l live.Log, r live.Ruling) {
	t.Helper()
	if changed, err := live.Moderate(t.Context(), l, r); err != nil || !changed {
		t.Fatalf("%+v: changed %t, %v", r, changed, err)
	}
}

// until waits for the answer to a request to have a text, or to lack it.
func (s *site) until(path, text string, has bool) {
	s.t.Helper()
	await.Until(s.t, fmt.Sprintf("%s with %q: %t", path, text, has), func() bool {
		return strings.Contains(s.send("GET", path, "").body, text) == has
	})
}

// TestHiddenGame checks that a hidden game is not shown, at any address and on any server
// of a log, until it is shown again; also after a restart and with the list rebuilt.
func TestHiddenGame(t *testing.T) {
	l := live.NewMemory()
	s, other := start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{Shared: true})
	id, token, _ := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	s.until("/api/games", id, true)
	other.until("/api/games", id, true)
	ruling := live.Ruling{Do: live.Hide, Game: id}
	moderate(t, l, ruling)
	if changed, err := live.Moderate(t.Context(), l, ruling); err != nil || changed {
		t.Errorf("hiding it twice: %t, %v, want nothing changed", changed, err)
	}
	later := start(t, l, serve.Config{Index: filepath.Join(t.TempDir(), "list.sqlite")})
	for _, s := range []*site{s, other, later} {
		s.until(path, "missing", true)
		s.until("/api/games", id, false)
		for _, at := range []string{"", "/events", "/socket", "/record", "/forms", "/board.svg", "/board.png", "/game.gif"} {
			if got := s.send("GET", path+at, "", bearer(token)...); got.status != 404 {
				t.Errorf("%s of a hidden game: status %d, want 404", at, got.status)
			}
		}
		if got := s.send("GET", "/g/"+id, ""); got.status != 404 {
			t.Errorf("its page: status %d, want 404", got.status)
		}
		s.want(s.post(path+"/resign", "", bearer(token)...), 404, "missing")
		s.want(s.post("/api/games", `{"from":{"id":"`+id+`"}}`), 404, "missing")
	}
	moderate(t, l, live.Ruling{Do: live.Show, Game: id})
	for _, s := range []*site{s, other, later} {
		s.until(path, `"state":"live"`, true)
		s.until("/api/games", id, true)
	}
}

// TestHiddenGameIsMissing checks that only existing games can be hidden.
func TestHiddenGameIsMissing(t *testing.T) {
	if changed, err := live.Moderate(t.Context(), live.NewMemory(), live.Ruling{Do: live.Hide, Game: "abcdefgh2345"}); err == nil || changed {
		t.Errorf("changed %t, %v, want an error", changed, err)
	}
}

// TestHiddenName checks that a hidden name, in any case of letters, is shown nowhere,
// even where it was shown before, and that no player can take it.
func TestHiddenName(t *testing.T) {
	l := live.NewMemory()
	s := start(t, l, serve.Config{})
	id := s.want(s.post("/api/games", `{"game":"othello"}`), 201, "").text("id")
	path := "/api/games/" + id
	made := s.want(s.post(path+"/seats/first", `{"name":"Rude Name"}`), 200, "")
	s.want(s.post(path+"/seats/second", `{"name":"Ben"}`), 200, "")
	shows := []string{path, "/api/games", "/api/games?player=Rude%20Name", path + "/events?board=1", path + "/record", "/g/" + id}
	s.want(s.post(path+"/resign", "", bearer(made.text("token"))...), 200, "") // so that events end
	for _, at := range shows {
		s.until(at, "Rude Name", at != "/g/"+id || strings.Contains(s.send("GET", at, "").body, "Rude Name"))
	}
	moderate(t, l, live.Ruling{Do: live.Hide, Name: "rude name"})
	for _, s := range []*site{s, start(t, l, serve.Config{})} {
		for _, at := range shows {
			s.until(at, "Rude Name", false)
		}
		s.until(path+"/record", "Anonymous", true)
		s.until(path, "Ben", true)
		for _, name := range []string{"RUDE NAME", "Ｒｕｄｅ Ｎａｍｅ", "Rud\u0435 Name", "Ru\u034fde Name"} {
			if p := s.want(s.post("/api/games", `{"game":"loa","as":"first","name":"`+name+`"}`), 400, "invalid"); p.text("reason") != "name.hidden" {
				t.Errorf("taking it again as %q: %v", name, p.body)
			}
		}
		p := s.want(s.post(path+"/seats/first", `{"name":"Cid"}`), 409, "over")
		if strings.Contains(p.text("error"), "Rude") {
			t.Errorf("a refusal tells the name: %v", p.body)
		}
	}
	moderate(t, l, live.Ruling{Do: live.Show, Name: "Rude NAME"})
	for _, at := range []string{path, "/api/games", path + "/events", path + "/record"} {
		s.until(at, "Rude Name", true)
	}
}
