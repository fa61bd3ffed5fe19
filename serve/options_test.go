package serve_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pitted is a board of 10 by 10 with pits on a1 and b2, and the four discs at the start.
const pitted = "#9/1#8/10/10/4XO4/4OX4/10/10/10/10 X"

// optionsOf returns the options in an answer.
func optionsOf(t testing.TB, v any) (options map[string]string) {
	t.Helper()
	var game struct{ Options map[string]string }
	if err := json.Unmarshal(mustJSON(t, v), &game); err != nil {
		t.Fatal(err)
	}
	return game.Options
}

// TestOptionsOfPositions checks that a game that starts from a position has that
// position's options in its view, in the list, and as the start of another game.
func TestOptionsOfPositions(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		asked string
		want  map[string]string
	}{
		{`{"game":"othello","position":"` + pitted + `"}`, map[string]string{"size": "10", "pits": "a1,b2", "start": "course"}},
		{`{"game":"othello","position":"4/1XO1/1OX1/4 X"}`, map[string]string{"size": "4", "pits": "", "start": "course"}},
		{`{"game":"connect6","position":"7/7/2BW3/7/7/7/7 B 1"}`, map[string]string{"size": "7"}},
		{`{"game":"loa","position":"1BBBBBB1/W6W/8/W6W/W6W/W6W/W6W/1BBBBBB1 W"}`, map[string]string{}},
		{`{"game":"chess","position":"4k3/8/8/8/8/8/8/4K2R b"}`, map[string]string{"halt": "none"}},
		{`{"game":"chess","options":{"halt":"claim"}}`, map[string]string{"halt": "claim"}},
		{`{"game":"chess","position":"4k3/8/8/8/8/8/8/4K2R b","options":{"halt":"none"}}`, map[string]string{"halt": "none"}},
		{`{"game":"othello","position":"` + pitted + `","options":{"size":"10","pits":"B2,a1"}}`, map[string]string{"size": "10", "pits": "B2,a1", "start": "course"}},
		{`{"game":"othello","options":{"start":"standard"}}`, map[string]string{"size": "8", "pits": "", "start": "standard"}},
		{`{"game":"othello","position":"8/8/8/3OX3/3XO3/8/8/8 X"}`, map[string]string{"size": "8", "pits": "", "start": "standard"}},
		{`{"game":"othello","options":{"size":"10","pits":"a1,b2"}}`, map[string]string{"size": "10", "pits": "a1,b2", "start": "course"}},
	} {
		made := s.want(s.post("/api/games", c.asked), 201, "")
		id := made.text("id")
		again := s.want(s.post("/api/games", `{"from":{"id":"`+id+`"}}`), 201, "")
		for where, v := range map[string]any{
			"the answer": made.body["view"], "the view": s.want(s.get("/api/games/"+id), 200, "").body, "a game from it": again.body["view"],
		} {
			if diff := cmp.Diff(c.want, optionsOf(t, v)); diff != "" {
				t.Errorf("%s: the options in %s (-want +got):\n%s", c.asked, where, diff)
			}
		}
		s.eventually(func() string { return string(mustJSON(t, s.optionsListed(id))) }, string(mustJSON(t, c.want)), c.asked+": the options in the list")
	}
}

// optionsListed returns the options of a game in the list; nil if it is not there.
func (s *site) optionsListed(id string) map[string]string {
	s.t.Helper()
	games, _ := s.want(s.get("/api/games"), 200, "").body["games"].([]any)
	for _, g := range games {
		if row, _ := g.(map[string]any); row["id"] == id {
			return optionsOf(s.t, row)
		}
	}
	return nil
}

// TestOptionsAgainstPositions checks that options which contradict the position are
// rejected.
func TestOptionsAgainstPositions(t *testing.T) {
	s := open(t)
	for options, want := range map[string]string{
		`{"size":"8"}`:             `size "8": the position has "10"`,
		`{"size":"10","pits":""}`:  `pits "": the position has "a1,b2"`,
		`{"size":"11"}`:            `size "11": expected an even number from 4 to 26`,
		`{"komi":"6"}`:             `othello has no option "komi"`,
		`{"pits":"a1,b2,c3,z100"}`: `pits "a1,b2,c3,z100": the position has "a1,b2"`,
	} {
		a := s.want(s.post("/api/games", `{"game":"othello","position":"`+pitted+`","options":`+options+`}`), 400, "invalid")
		if !strings.Contains(a.text("error"), want) || a.text("field") != "options" {
			t.Errorf("options %s: %v, want an error with %s", options, a.body, want)
		}
	}
}
