package serve_test

import "testing"

// TestAskedOrDone checks that the answer to a command says whether it took effect or
// waits for the other side.
func TestAskedOrDone(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		name, game string
		moves      []string
		do         string // by the first side
		asked      string // what the first side is then said to ask
		answer     string // by the second side
		result     string
		ply        float64
	}{
		{"a draw", `{"game":"othello"}`, nil, "offer", `["draw"]`, "offer", "draw", 0},
		{"a claim that needs both", `{"game":"chess","options":{"halt":"agreed"}}`, []string{"e2e4", "d7d5", "e4d5"}, "claim", `["halt"]`, "claim", "first wins", 3},
		{"a claim", `{"game":"chess","options":{"halt":"claim"}}`, []string{"e2e4", "d7d5", "e4d5", "a7a6"}, "claim", `[]`, "", "first wins", 4},
		{"a take-back", `{"game":"othello"}`, []string{"f4"}, "takeback", `["takeback"]`, "accept", "ongoing", 0},
		{"a rematch", `{"game":"connect6","position":"BBBBB1/6/6/6/6/6 B 1"}`, []string{"F0"}, "rematch", `["rematch"]`, "rematch", "first wins", 1},
	} {
		id, first, second := s.game(c.game)
		path := "/api/games/" + id + "/"
		for i, move := range c.moves {
			s.want(s.post(path+"moves", `{"move":"`+move+`"}`, bearer([]string{first, second}[i%2])...), 200, "")
		}
		asks := func(a answer) string {
			asked, _ := a.body["asked"].(map[string]any)
			if got := string(mustJSON(t, asked["second"])); got != "[]" {
				t.Errorf("%s: the second side asks for %s", c.name, got)
			}
			return string(mustJSON(t, asked["first"]))
		}
		a := s.want(s.post(path+c.do, "", bearer(first)...), 200, "")
		if got := asks(a); got != c.asked {
			t.Errorf("%s: the answer says that %s is asked, want %s", c.name, got, c.asked)
		}
		if c.answer != "" {
			a = s.want(s.post(path+c.answer, "", bearer(second)...), 200, "")
		}
		if got := asks(a); got != "[]" || a.text("result") != c.result || a.number("ply") != c.ply {
			t.Errorf("%s, agreed to: %v, want %s at ply %v, and nothing asked", c.name, a.body, c.result, c.ply)
		}
	}
}
