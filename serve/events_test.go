package serve_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestGoingOn wants whoever has seen a part of a game to be told the rest: all that
// came after an event, exactly, and after a ply nothing less.
func TestGoingOn(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	play := func(ply int) {
		legal, _ := s.get(path).body["legal"].([]any)
		move, _ := legal[0].(map[string]any)["move"].(string)
		token := []string{first, second}[ply%2]
		s.want(s.post(path+"/moves", fmt.Sprintf(`{"move":%q,"ply":%d}`, move, ply), bearer(token)...), 200, "")
	}
	for ply := range 5 {
		play(ply)
	}
	s.want(s.post(path+"/takeback", `{"ply":3}`, bearer(first)...), 200, "")
	s.want(s.post(path+"/accept", "", bearer(second)...), 200, "")
	play(3)
	play(4)
	s.want(s.post(path+"/resign", "", bearer(first)...), 200, "")
	const all = "0:0 1:0 2:0 3:1 4:2 5:3 6:4 7:5 8:5 9:3 10:4 11:5 12:5" // the numbers of events, and their plies
	for query, want := range map[string]int{
		"?from=0": 0, "?from=3": 6,
		"?from=5":  8, // it may have been the first time
		"?from=6":  13,
		"?after=0": 1, "?after=9": 10, "?after=11": 12, "?after=12": 13, "?after=1000000000": 13,
	} {
		lines := make(chan map[string]any, 20)
		s.lines(path+"/events"+query, lines)
		var got []string
		for l := range lines {
			got = append(got, fmt.Sprintf("%v:%v", l["n"], l["ply"]))
		}
		if want := strings.Join(strings.Fields(all)[want:], " "); strings.Join(got, " ") != want {
			t.Errorf("events%s: %v, want %s", query, got, want)
		}
	}
	for _, query := range []string{"?after=x", "?after=-1", "?after=1&from=1", "?after=18446744073709551615"} {
		if a := s.want(s.get(path+"/events"+query), 400, "invalid"); a.text("reason") != "after" || a.text("field") != "after" {
			t.Errorf("events%s: %v, want after named", query, a.body)
		}
	}
}

// TestGoingOnWithOneWhoIsAhead wants nothing told that a reader has seen, though the
// server has not heard of it yet.
func TestGoingOnWithOneWhoIsAhead(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	lines := make(chan map[string]any, 20)
	done := make(chan bool)
	go func() { s.lines(path+"/events?after=3", lines); close(done) }()
	s.eventually(func() string { return fmt.Sprint(s.get(path).number("watching")) }, "1", "who watches")
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 200, "")
	s.want(s.post(path+"/moves", `{"move":"f3","ply":1}`, bearer(second)...), 200, "")
	s.want(s.post(path+"/resign", "", bearer(first)...), 200, "")
	<-done
	var got []string
	for l := range lines {
		got = append(got, fmt.Sprint(l["n"]))
	}
	if want := "4 5"; strings.Join(got, " ") != want {
		t.Errorf("events %v, want %s", got, want)
	}
}
