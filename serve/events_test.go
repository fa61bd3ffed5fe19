package serve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/lab/await"
	"quintet/live"
)

// TestGoingOn resumes a stream: after an event it sends exactly the later events, and after
// a ply at least those.
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

// TestGoingOnWithOneWhoIsAhead does not repeat events that a reader already has, even if
// this server does not have them yet.
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
	await.Receive(t, "the end of the events", done)
	var got []string
	for l := range lines {
		got = append(got, fmt.Sprint(l["n"]))
	}
	if want := "4 5"; strings.Join(got, " ") != want {
		t.Errorf("events %v, want %s", got, want)
	}
}

// TestFieldsOfEvents checks that every event has the fields that the document lists for
// its kind, with a clock and without one, before anything is over and at the end.
func TestFieldsOfEvents(t *testing.T) {
	s := open(t)
	for _, c := range []struct{ asked, clocks string }{
		{`{"game":"othello"}`, "null"}, {`{"game":"othello","clock":{"main":60,"delay":2}}`, `{"first":60000,"second":60000}`},
	} {
		id, first, _ := s.game(c.asked)
		s.want(s.post("/api/games/"+id+"/offer", "", bearer(first)...), 200, "")
		s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
		lines := make(chan map[string]any, 20)
		s.lines("/api/games/"+id+"/events?from=0", lines)
		for l := range lines {
			for _, name := range openapi(t).Components.Schemas["Event"].Required {
				if _, ok := l[name]; !ok {
					t.Errorf("%s: %v has no %s", c.asked, l, name)
				}
			}
			if _, by := l["side"]; by != (l["kind"] != "opened") {
				t.Errorf("%s: %v has a side: %t", c.asked, l, by)
			}
			if got := string(mustJSON(t, l["clocks"])); (got == "null") != (c.clocks == "null") {
				t.Errorf("%s: %s has the clocks %s, want such as %s", c.asked, l["kind"], got, c.clocks)
			}
		}
	}
}

// TestEventsAreDescribed checks that the document lists every kind of event, with the
// required fields that docs/api.md lists.
func TestEventsAreDescribed(t *testing.T) {
	event := openapi(t).Components.Schemas["Event"]
	want := []any{
		live.Opened, live.Sat, live.Moved, live.Offered, live.Declined, live.TakenBack, live.Drawn, live.Halted, live.Resigned, live.Flagged, live.Abandoned, live.CalledOff, live.Rematched, live.Berserked,
	}
	if got, want := fmt.Sprint(event.Properties["kind"].Enum...), fmt.Sprint(want...); got != want {
		t.Errorf("the kinds of the document are %s, want %s", got, want)
	}
	if got, want := strings.Join(event.Required, " "), "kind n ply turn clocks running free state result reason time asked"; got != want {
		t.Errorf("the document wants %s of each, want %s", got, want)
	}
	framed(t, []byte(`{"kind":"beat"}`))
	framed(t, []byte(`{"kind":"presence","presence":{"first":{"here":false,"away":7,"claimwin":null,"calloff":3},"second":null}}`))
}

// TestEventsSuffice checks that a client that fetched a game once can follow its state
// from the events alone.
func TestEventsSuffice(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/games", `{"game":"othello","as":"first","name":"Ann"}`), 201, "")
	id, first := made.text("id"), made.text("token")
	path := "/api/games/" + id
	known := []map[string]any{s.get(path).body}
	second := s.want(s.post(path+"/seats/second", `{"name":"Ben"}`), 200, "").text("token")
	known = append(known, s.get(path).body)
	for _, c := range []struct{ token, what, body string }{
		{first, "moves", `{"move":"f4","ply":0}`}, {second, "moves", `{"move":"f3","ply":1}`}, {first, "offer", ""}, {second, "decline", ""},
		{first, "takeback", `{"ply":0}`}, {second, "accept", ""}, {first, "moves", `{"move":"e3","ply":0}`}, {second, "moves", `{"move":"f3","ply":1}`},
		{first, "moves", `{"move":"g3","ply":2}`}, {first, "takeback", `{"ply":2}`}, {second, "accept", ""}, {second, "offer", ""},
		{second, "resign", ""}, {first, "rematch", ""}, {second, "accept", `{"what":"rematch"}`},
	} {
		a := s.post(path+"/"+c.what, c.body, bearer(c.token)...)
		if a.status != 200 {
			t.Fatalf("%s %s: %v", c.what, c.body, a.body)
		}
		known = append(known, s.get(path).body)
	}
	lines := make(chan map[string]any, len(known))
	s.lines(path+"/events?after=0", lines)
	view, n := known[0], 0
	for l := range lines {
		n++
		follow(view, l)
		for _, name := range []string{"ply", "turn", "clocks", "state", "result", "reason", "next", "asked", "seats", "moves", "last", "events", "updated"} {
			if diff := cmp.Diff(known[n][name], view[name]); diff != "" {
				t.Errorf("%s after event %v (-the game +what events told):\n%s", name, l, diff)
			}
		}
	}
	if n < 14 {
		t.Errorf("%d events, want one for each command until the end of the game", n)
	}
}

// follow applies an event to what a watcher knows of a game.
func follow(view, event map[string]any) {
	for _, name := range []string{"ply", "turn", "clocks", "state", "result", "reason", "asked"} {
		view[name] = event[name]
	}
	for _, name := range []string{"next", "seats"} {
		if v, ok := event[name]; ok {
			view[name] = v
		}
	}
	moves, _ := view["moves"].([]any)
	switch event["kind"] {
	case "moved":
		view["moves"] = append(slices.Clip(moves), event["move"])
		last := map[string]any{"move": event["move"]}
		for _, name := range []string{"from", "to"} {
			if v, ok := event[name]; ok {
				last[name] = v
			}
		}
		view["last"] = last
	case "takenback":
		ply, _ := event["ply"].(float64)
		view["moves"] = moves[:int(ply)]
		delete(view, "last")
		if v, ok := event["last"]; ok {
			view["last"] = v
		}
	}
	n, _ := event["n"].(float64)
	view["events"], view["updated"] = n+1, event["time"]
}
