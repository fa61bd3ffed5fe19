package serve_test

import (
	"net/url"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
)

// TestEveryGame plays a game of each kind to its end, with a puzzle or a lesson or without: its
// pages are there, and a review says how it was. lab/baregame runs it with a game that has
// nothing but rules.
func TestEveryGame(t *testing.T) {
	s := open(t)
	for _, g := range games.All() {
		for _, page := range []string{"learn", "puzzles", "analysis", "editor"} {
			if text := s.page("/" + page + "/" + g.Name); !strings.Contains(text, `<h1 class="hidden">`) || strings.Contains(text, "There is no such game") {
				t.Errorf("%s: the page %s is\n%s", g.Name, page, text)
			}
		}
		id := s.playThrough(g)
		v := s.get("/api/games/" + id)
		side, _ := v.body["sides"].(map[string]any)
		if v.text("state") != "over" || side["first"] != g.Sides[game.First] {
			t.Errorf("%s: %v after the game", g.Name, v.body)
		}
		review := s.openReview("/api/games/"+id+"/review", "{}")
		if done := s.reviewed(review.text("id")); done.text("state") != "done" {
			t.Errorf("%s: the review is %v", g.Name, done.body)
		}
		position := url.Values{"game": {g.Name}, "position": {v.text("position")}}
		if text := s.page("/editor/" + g.Name + "?" + position.Encode()); !strings.Contains(text, "<main") {
			t.Errorf("%s: no editor for %s", g.Name, v.text("position"))
		}
	}
}

// playThrough plays some legal moves of a game, whose loser resigns if that is not its end.
func (s *site) playThrough(g game.Game) (id string) {
	s.t.Helper()
	const plies = 2 // with the race detector a review searches for seconds each ply
	id, first, second := s.game(`{"game":"` + g.Name + `"}`)
	tokens := map[string]string{"first": first, "second": second}
	path := "/api/games/" + id
	for ply := range plies {
		v := s.get(path)
		legal, _ := v.body["legal"].([]any)
		if len(legal) == 0 {
			return id
		}
		m, _ := legal[7*ply%len(legal)].(map[string]any)["move"].(string)
		s.want(s.post(path+"/moves", `{"move":"`+m+`"}`, bearer(tokens[v.text("turn")])...), 200, "")
	}
	s.want(s.post(path+"/resign", "", bearer(second)...), 200, "")
	return id
}
