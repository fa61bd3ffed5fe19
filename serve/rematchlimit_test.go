package serve_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/serve"
)

// opened returns how many games of LOA the metrics say were opened.
func (s *site) opened() string {
	s.t.Helper()
	return regexp.MustCompile(`(?m)^quintet_games_opened_total.* (\d+)$`).FindStringSubmatch(s.send("GET", "/metrics", "").body)[1]
}

// TestRematchesAreNewGames checks that one limit and one metric cover everything that
// opens a game: a request, a rematch with an engine, and a rematch between people.
func TestRematchesAreNewGames(t *testing.T) {
	at := newClock()
	s := start(t, live.NewMemory(), serve.Config{CreateRate: serve.Rate{Burst: 4, Second: 0.1}, Now: at.Now})
	made := s.want(s.post("/api/games", `{"game":"loa","as":"first","seats":{"second":"random"}}`, "Idempotency-Key", strings.Repeat("k", 20)), 201, "")
	id, token := made.text("id"), bearer(made.text("token"))
	again := func(status int, code string) {
		t.Helper()
		s.want(s.post("/api/games/"+id+"/resign", "", token...), 200, "")
		if next := s.want(s.post("/api/games/"+id+"/rematch", "", token...), status, code).text("next"); status == 200 {
			id = next
		}
	}
	again(200, "")
	people, ann, ben := s.game(`{"game":"othello"}`)
	again(200, "")
	again(429, "limited")
	if got := s.opened(); got != "3" {
		t.Errorf("%s games of LOA are counted as opened, want 3", got)
	}
	path := "/api/games/" + people
	s.want(s.post(path+"/resign", "", bearer(ann)...), 200, "")
	s.want(s.post(path+"/rematch", "", bearer(ann)...), 200, "") // an offer opens nothing
	s.want(s.post(path+"/rematch", "", bearer(ben)...), 429, "limited")
	s.want(s.post(path+"/accept", `{"what":"rematch"}`, bearer(ben)...), 429, "limited")
	at.add(10 * time.Second)
	s.want(s.post(path+"/decline", `{"what":"rematch"}`, bearer(ben)...), 200, "")
	for range 5 { // what opens nothing costs nothing
		s.want(s.post(path+"/accept", `{"what":"rematch"}`, bearer(ben)...), 409, "nothing")
		s.want(s.post(path+"/rematch", "", bearer(ann)...), 200, "")
		s.want(s.post(path+"/decline", `{"what":"rematch"}`, bearer(ben)...), 200, "")
	}
	s.want(s.post(path+"/rematch", "", bearer(ann)...), 200, "")
	s.want(s.post(path+"/rematch", "", bearer(ben)...), 200, "")
	s.want(s.post("/api/games", `{"game":"loa"}`), 429, "limited")
}
