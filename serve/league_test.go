package serve_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// league hands programs of several strengths in, and returns the assignment.
func (c *classroom) league(students []visitor, words ...string) (to string, ids []string) {
	c.t.Helper()
	to = c.assignment(`,"attempts":5,"league":{"level":2}`)
	for i, v := range students {
		ids = append(ids, c.handIn(v, to, words[i]))
	}
	return to, ids
}

// rows returns the table of a league, once nobody has anything left to play.
func (c *classroom) rows(v visitor, to string) (rows []map[string]any, lost []any) {
	c.t.Helper()
	var a answer
	c.eventually(func() string {
		a = v.do("GET", c.path("/assignments/"+to+"/league"), "", 200, "")
		return fmt.Sprint(a.number("waiting"), len(a.body["rows"].([]any)) > 2)
	}, "0 true", "the programs that have something to play")
	for _, r := range a.body["rows"].([]any) {
		rows = append(rows, r.(map[string]any))
	}
	return rows, a.body["lost"].([]any)
}

// TestLeague leads a league from the programs to the marks.
func TestLeague(t *testing.T) {
	l, j := live.NewMemory(), &stub{}
	s := start(t, l, serve.Config{Judge: j})
	c := s.newClassroom("Ann Lee\nBob Ray\nEve Fox")
	ann, bob, eve := c.student(0), c.student(1), c.student(2)
	to, ids := c.league([]visitor{ann, bob, eve}, "right better", "right", "wrong")
	c.judged(eve, ids[2], "judged")
	rows, _ := c.rows(c.teacher, to)
	if len(rows) != 4 || rows[0]["name"] != "Ann Lee" || rows[1]["name"] != "Bob Ray" || rows[2]["elo"].(float64) > rows[1]["elo"].(float64) || fmt.Sprint(rows[0]["level"]) != "2" {
		t.Errorf("the table is %v", rows)
	}
	if n := j.matches.Load(); n != 2*2*12+20 {
		t.Errorf("%d matches were played, want 12 against each of two levels by two programs, and 20 between them", n)
	}
	rows, lost := c.rows(bob, to)
	if text := fmt.Sprint(rows, lost); strings.Contains(text, "Ann") || !strings.Contains(text, "Bob Ray") || len(lost) != 40 {
		t.Errorf("a student sees %v and %d lost games", rows, len(lost))
	}
	one := lost[0].(map[string]any)
	path := c.path(fmt.Sprintf("/submissions/%v/rounds/%v", one["submission"], one["round"]))
	games := bob.do("GET", path, "", 200, "").body["games"].([]any)
	if text := fmt.Sprint(games); !strings.Contains(text, "/analysis/loa?moves=d3") || !strings.Contains(text, "a secret") {
		t.Errorf("the games of the round are %v", games)
	}
	if text := fmt.Sprint(ann.do("GET", path, "", 200, "").body); strings.Contains(text, "a secret") {
		t.Errorf("the winner sees the fault of the loser: %s", text)
	}
	if got := eve.do("GET", path, "", 200, "").body["games"].([]any); len(got) != 0 {
		t.Errorf("another student sees %v", got)
	}
	eve.do("GET", c.path("/submissions/"+ids[0]+"/rounds/99"), "", 404, "missing")
	if text := bob.text(c.path("/templates/league.py")); !strings.Contains(text, "bestmove") {
		t.Errorf("the template is %q", text)
	}
	bob.do("GET", c.path("/templates/nothing"), "", 404, "missing")
	if got := c.teacher.text(c.path("/assignments/" + to + "/marks")); !strings.Contains(got, "Ann Lee,100,100") || !strings.Contains(got, "Bob Ray,100,100") || !strings.Contains(got, "Eve Fox,40,100") {
		t.Errorf("the marks are %q", got)
	}
	// A later program replaces the first one, whose games are erased.
	ids[1] = c.handIn(bob, to, "right better better")
	c.judged(bob, ids[1], "judged")
	if rows, _ := c.rows(c.teacher, to); rows[0]["name"] != "Bob Ray" || len(rows) != 4 {
		t.Errorf("after a better program the table is %v", rows)
	}
	c.teacher.do("DELETE", c.path(""), "", 200, "")
	c.eventually(func() string {
		list, err := live.ReadRecords(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		bytes, erased := 0, false
		for _, r := range list {
			if strings.HasPrefix(r.Key, "games-") {
				bytes += len(r.Data)
			}
			erased = erased || r.Key == "class-"+c.id && strings.Contains(string(r.Data), `"erased":true`)
		}
		return fmt.Sprint(bytes, erased)
	}, "0 true", "the bytes of games of an erased class")
}

// TestLeagueRestart stops a server in the middle of a round: the next one goes on, and no match counts twice.
func TestLeagueRestart(t *testing.T) {
	l, j := live.NewMemory(), &stub{gate: make(chan struct{}, 100)}
	first := start(t, l, serve.Config{Judge: j})
	c := first.newClassroom("Ann Lee\nBob Ray")
	ann, bob := c.student(0), c.student(1)
	to, _ := c.league([]visitor{ann, bob}, "right better", "right")
	for range 10 {
		j.gate <- struct{}{}
	}
	c.eventually(func() string { return fmt.Sprint(j.matches.Load()) }, "11", "the matches that have begun")
	if err := first.server.Close(); err != nil {
		t.Fatal(err)
	}
	next := start(t, l, serve.Config{Judge: &stub{}})
	c.site, c.teacher.site, ann.site = next, next, next
	ann.adopt(next, c.codes[0])
	rows, _ := c.rows(ann, to)
	for _, r := range rows {
		if r["submission"] != "" && fmt.Sprint(r["games"]) != "88" { // 12 matches against each of two levels, 20 against the other
			t.Errorf("a program has %v games: %v", r["games"], r)
		}
	}
}

// halting is a log that refuses events of rounds.
type halting struct{ *live.Memory }

func (l halting) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if strings.Contains(string(data), `"kind":"played"`) {
		return 0, live.ErrUnknown
	}
	return l.Memory.Append(ctx, stream, after, data) //nolint:wrapcheck // a test
}

// TestLeagueStored stops a server between the games of a round and the event about them: the next one plays none of
// them again.
func TestLeagueStored(t *testing.T) {
	l, j, again := live.NewMemory(), &stub{}, &stub{}
	first := start(t, halting{l}, serve.Config{Judge: j})
	c := first.newClassroom("Ann Lee\nBob Ray")
	ann, bob := c.student(0), c.student(1)
	to, _ := c.league([]visitor{ann, bob}, "right better", "right")
	c.eventually(func() string { return fmt.Sprint(j.matches.Load() > 0) }, "true", "a match that has begun")
	if err := first.server.Close(); err != nil {
		t.Fatal(err)
	}
	next := start(t, l, serve.Config{Judge: again})
	c.site, c.teacher.site, ann.site = next, next, next
	ann.adopt(next, c.codes[0])
	c.rows(ann, to)
	if a, b := j.matches.Load(), again.matches.Load(); a+b != 2*2*12+20 {
		t.Errorf("%d and %d matches, want 68 together", a, b)
	}
}

// TestLeagueRules checks the rules of leagues.
func TestLeagueRules(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{Judge: &stub{}})
	c := s.newClassroom("Ann Lee")
	for _, rules := range []string{`{"level":0}`, `{"level":10}`, `{"level":1,"nodes":-1}`, `{"level":1,"time":1000000}`} {
		c.teacher.do("POST", c.path("/assignments"), `{"title":"x","game":"loa","league":`+rules+`}`, 400, "invalid")
	}
	c.teacher.do("POST", c.path("/assignments"), `{"title":"x","game":"loa","class":true,"league":{"level":1}}`, 400, "invalid")
	c.teacher.do("GET", c.path("/assignments/"+c.assignment("")+"/league"), "", 404, "missing")
}

// final returns the last final of a league, once it is over.
func (c *classroom) final(v visitor, to string) answer {
	c.t.Helper()
	var a answer
	c.eventually(func() string {
		a = v.do("GET", c.path("/assignments/"+to+"/final"), "", 200, "")
		return fmt.Sprint(a.number("champion") >= 0)
	}, "true", "the end of the final")
	return a
}

// TestFinal holds a final, and stops the server in the middle of it: the next one goes on.
func TestFinal(t *testing.T) {
	l, j := live.NewMemory(), &stub{gate: make(chan struct{}, 1000)}
	first := start(t, l, serve.Config{Judge: j})
	c := first.newClassroom("Ann Lee\nBob Ray\nEve Fox")
	ann, bob, eve := c.student(0), c.student(1), c.student(2)
	for range cap(j.gate) {
		j.gate <- struct{}{}
	}
	to, ids := c.league([]visitor{ann, bob, eve}, "right better better", "right", "right")
	for i, v := range []visitor{ann, bob, eve} {
		c.judged(v, ids[i], "judged")
	}
	c.rows(ann, to)
	final := c.path("/assignments/" + to + "/final")
	ann.do("GET", final, "", 404, "missing")
	ann.do("POST", final, "", 404, "missing")
	c.teacher.do("POST", final, `{"players":17}`, 400, "invalid")
	c.teacher.do("POST", c.path("/assignments/"+c.assignment("")+"/final"), `{}`, 404, "missing")
	for len(j.gate) > 0 {
		<-j.gate
	}
	j.gate <- struct{}{} // of the first match of Bob and Eve, which is drawn: two others follow, and the deciding one
	before := j.matches.Load()
	c.teacher.do("POST", final, `{}`, 200, "")
	c.eventually(func() string { return fmt.Sprint(j.matches.Load() - before) }, "2", "the matches of the final that have begun")
	if v := ann.do("GET", final, "", 200, ""); v.number("champion") != -1 || len(v.body["rounds"].([]any)) != 1 {
		t.Errorf("before the end: %v", v.body)
	}
	if err := first.server.Close(); err != nil {
		t.Fatal(err)
	}
	again := &stub{}
	next := start(t, l, serve.Config{Judge: again})
	c.site, c.teacher.site, ann.site = next, next, next
	ann.adopt(next, c.codes[0])
	v := c.final(ann, to)
	if n := again.matches.Load(); n != 4 || v.number("champion") != 0 {
		t.Errorf("%d matches after the restart, want 3 of Bob and Eve and the last one: %v", n, v.body)
	}
	players := fmt.Sprint(v.body["players"])
	if strings.Contains(players, "Bob Ray") || !strings.Contains(players, "name:Ann Lee you:true") {
		t.Errorf("a student sees %s", players)
	}
	rounds, matches := v.body["rounds"].([]any), v.body["matches"].([]any)
	if got := fmt.Sprint(rounds); len(matches) != 6 || got != "[[map[after:1 players:[0 -1] winner:0] map[after:5 players:[1 2] winner:1]] [map[after:6 players:[0 1] winner:0]]]" {
		t.Errorf("%d matches, %s", len(matches), got)
	}
	if last := fmt.Sprint(matches[5]); strings.Contains(last, "a secret") || !strings.Contains(last, "moves:[d3]") || !strings.Contains(last, "/analysis/loa?moves=d3") {
		t.Errorf("the last match is %s", last)
	}

	// Another final replaces the first one. It waits while the class is archived.
	c.teacher.do("POST", c.path("/archive"), `{"archived":true}`, 200, "")
	c.teacher.do("POST", final, `{"players":2}`, 200, "")
	if v := ann.do("GET", final, "", 200, ""); v.number("champion") != -1 || len(v.body["players"].([]any)) != 2 {
		t.Errorf("the final of an archived class: %v", v.body)
	}
	c.teacher.do("POST", c.path("/archive"), `{"archived":false}`, 200, "")
	if v := c.final(ann, to); len(v.body["matches"].([]any)) != 1 {
		t.Errorf("the final of two: %v", v.body)
	}
}
