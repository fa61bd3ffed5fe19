package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
)

// tiny is a tournament of games that a resignation ends at once.
const tiny = `{"title":"Evening","form":"%s","pause":0,"rounds":1,"minutes":5,"games":[{"game":"othello","options":{"size":"4"}},{"game":"loa"}],"clock":{"main":60}%s}`

// club is a tournament with its organiser.
type club struct {
	host visitor
	path string
}

// newClub makes a tournament.
func (s *site) newClub(form, rest string) club {
	s.t.Helper()
	c := club{host: s.visitor()}
	c.host.do("POST", "/api/accounts", `{"name":"Olga",`+password+`}`, 201, "")
	c.path = "/api/tournaments/" + c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, form, rest), 201, "").text("id")
	return c
}

// game returns the game that a player has now, and the side; "" for none.
func (c club) game(v visitor) (id, side string) {
	you, _ := v.do("GET", c.path, "", 200, "").body["you"].(map[string]any)
	g, _ := you["game"].(map[string]any)
	id, _ = g["id"].(string)
	side, _ = you["side"].(string)
	return id, side
}

// resignAll lets a player resign every game until the tournament is over.
func (c club) resignAll(players ...visitor) answer {
	t := c.host.t
	t.Helper()
	var a answer
	await.Until(t, "the tournament is over", func() bool {
		for _, v := range players {
			if id, _ := c.game(v); id != "" {
				v.send("POST", "/api/games/"+id+"/resign", "", v.cookies()...) // it may be over already
			}
		}
		a = c.host.do("GET", c.path, "", 200, "")
		return a.text("phase") == "over"
	})
	return a
}

// TestTournament leads a round robin of three people and a level from its making to the files.
func TestTournament(t *testing.T) {
	s := open(t)
	s.ready()
	c := s.newClub("robin", `,"code":"abc"`)
	ann, ben := s.visitor(), s.visitor()
	ann.do("POST", c.path+"/players", `{"code":"x"}`, 403, "password")
	ann.do("POST", c.path+"/start", "", 403, "scope")
	c.host.do("POST", c.path+"/start", "", 409, "nothing")
	ann.do("POST", c.path+"/players", `{"code":"abc"}`, 200, "")
	ben.do("POST", c.path+"/players", `{"code":"abc"}`, 200, "")
	c.host.do("POST", c.path+"/players", `{}`, 200, "")
	c.host.do("POST", c.path+"/levels", `{"level":11}`, 400, "invalid")
	c.host.do("POST", c.path+"/levels", `{"level":1}`, 200, "")
	ben.do("DELETE", c.path+"/players/me", "", 200, "")
	if a := ben.do("POST", c.path+"/players", `{"code":"abc"}`, 200, ""); a.number("players") != 4 || a.text("phase") != "waiting" {
		t.Fatalf("before the start: %v", a.body)
	}
	list := ann.do("GET", "/api/tournaments", "", 200, "").body["waiting"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["joined"] != true {
		t.Errorf("the lobby is %v", list)
	}
	lines := followClub(t, ann, c.path+"/events")
	c.host.do("POST", c.path+"/start", "", 200, "")
	first := <-lines
	for first["kind"] != "game" {
		first = <-lines
	}
	if id, side := c.game(ann); id != first["id"] || side != first["side"] || first["round"] != 1.0 {
		t.Errorf("the stream says %v, the page %s", first, id)
	}
	s.visitor().do("POST", c.path+"/players", `{"code":"abc"}`, 409, "nothing")
	if got := s.get("/api/games/" + first["id"].(string)); "/api/tournaments/"+got.text("tournament") != c.path {
		t.Errorf("the game is %v", got.body)
	}
	a := c.resignAll(ann, ben, c.host)
	you := ann.do("GET", c.path, "", 200, "").body["you"].(map[string]any)
	if a.number("round") != 3 || a.text("why") != "done" || you["wins"].(float64)+you["losses"].(float64) != 3 {
		t.Errorf("at the end: %v, Ann has %v", a.body, you)
	}
	games := map[string]string{}
	for round := 1; round <= 3; round++ {
		for _, b := range s.get(fmt.Sprintf("%s/rounds/%d", c.path, round)).body["boards"].([]any) {
			b := b.(map[string]any)
			games[b["id"].(string)] = b["game"].(string)
		}
	}
	if kinds := fmt.Sprint(games); len(games) != 6 || strings.Count(kinds, ":othello") != 4 || strings.Count(kinds, ":loa") != 2 {
		t.Errorf("the games are %v", games)
	}
	s.eventually(func() string {
		over := s.get("/api/tournaments").body["over"].([]any)
		return fmt.Sprint(len(over) == 1 && over[0].(map[string]any)["winner"] == a.body["standings"].([]any)[0].(map[string]any)["name"])
	}, "true", "the winner in the lobby")
	for name, want := range map[string]string{
		"standings.csv": "rank,name,rating", "report.trf": "012 Evening\r\n", "calendar.ics": "SUMMARY:Evening\r\n", "games.zip": "PK",
	} {
		if got := s.send("GET", c.path+"/files/"+name, ""); got.status != 200 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %.200s", name, got.status, got.body)
		}
	}
	for query, want := range map[string]string{"": "DENY", "?embed": ""} {
		if got := s.send("GET", strings.TrimPrefix(strings.Replace(c.path, "tournaments", "tournament", 1), "/api")+query, ""); got.status != 200 || got.header.Get("X-Frame-Options") != want {
			t.Errorf("the page%s: %d, X-Frame-Options %q, want %q", query, got.status, got.header.Get("X-Frame-Options"), want)
		}
	}
	if a := s.want(s.get(c.path+"/files/x"), 404, "missing"); a.text("reason") != "tournament.file" {
		t.Errorf("an unknown file: %v", a.body)
	}
	s.want(s.get(c.path+"/standings?from=2"), 200, "")
	c.host.do("DELETE", c.path, "", 409, "nothing")
}

// followClub follows the events of a tournament.
func followClub(t *testing.T, v visitor, path string) chan map[string]any {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	headers := v.cookies()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	got, err := http.DefaultClient.Do(r) //nolint:bodyclose // the goroutine below closes it
	if err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("following: %v, %v", got, err)
	}
	lines := make(chan map[string]any, 100)
	go func() {
		defer close(lines)
		defer func() { _ = got.Body.Close() }()
		for in := bufio.NewScanner(got.Body); in.Scan(); {
			var line map[string]any
			if json.Unmarshal(in.Bytes(), &line) == nil {
				described(t, http.MethodGet, path, http.StatusOK, in.Bytes())
				lines <- line
			}
		}
	}()
	return lines
}

// TestTournamentRules checks what tournaments are refused, who may see those of a class, and that a tournament without
// players ends by itself at its start.
func TestTournamentRules(t *testing.T) {
	now := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: now.Now})
	s.ready()
	s.visitor().do("POST", "/api/tournaments", fmt.Sprintf(tiny, "swiss", ""), 401, "token")
	room := s.newClassroom("Ann\nBen")
	for _, body := range []string{
		fmt.Sprintf(tiny, "cup", ""), fmt.Sprintf(tiny, "swiss", `,"most":1`), fmt.Sprintf(tiny, "knockout", `,"most":65`), fmt.Sprintf(tiny, "swiss", `,"low":9,"high":8`),
		fmt.Sprintf(tiny, "swiss", `,"class":"x"`), fmt.Sprintf(tiny, "swiss", `,"starts":"2025-01-01T00:00:00Z"`), fmt.Sprintf(tiny, "swiss", `,"starts":"soon"`),
		strings.Replace(fmt.Sprintf(tiny, "arena", ""), `"minutes":5`, `"minutes":361`, 1), strings.Replace(fmt.Sprintf(tiny, "swiss", ""), `"rounds":1`, `"rounds":99`, 1),
		strings.Replace(fmt.Sprintf(tiny, "swiss", ""), `{"main":60}`, `{"days":1}`, 1), strings.Replace(fmt.Sprintf(tiny, "swiss", ""), "Evening", "", 1),
		strings.Replace(fmt.Sprintf(tiny, "swiss", ""), `"loa"`, `"go"`, 1), strings.Replace(fmt.Sprintf(tiny, "swiss", ""), `"pause":0`, `"pause":601`, 1),
	} {
		room.teacher.do("POST", "/api/tournaments", body, 400, "invalid")
	}
	make := func(rest string) string {
		return "/api/tournaments/" + room.teacher.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "swiss", rest), 201, "").text("id")
	}
	ours := make(`,"class":"` + room.id + `"`)
	ann := room.student(0)
	ann.do("POST", ours+"/players", `{}`, 200, "")
	s.visitor().do("GET", ours, "", 404, "missing")
	if list := s.get("/api/tournaments").body["waiting"].([]any); len(list) != 0 {
		t.Errorf("a stranger's lobby has %v", list)
	}
	strong, rated := make(`,"low":2000`), make(`,"rated":true`)
	ann.do("POST", strong+"/players", `{}`, 409, "nothing")
	ann.do("POST", rated+"/players", `{}`, 401, "token")
	due := make(`,"starts":"` + now.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"`)
	make("")
	room.teacher.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "swiss", ""), 409, "many")
	now.add(time.Hour)
	s.eventually(func() string { return s.get(due).text("phase") + " " + s.get(due).text("why") }, "over few", "the tournament without players")
}

// unopened is a log that accepts no games, as if the server were killed before it opened them.
type unopened struct {
	live.Log
	refuses atomic.Bool
}

func (l *unopened) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if l.refuses.Load() && live.CategoryOf(stream) == live.GameCategory {
		return 0, errTrouble
	}
	return l.Log.Append(ctx, stream, after, data)
}

// events returns the events of a tournament.
func (c club) events(l live.Log) []live.Entry {
	c.host.t.Helper()
	list, err := l.Read(c.host.t.Context(), "tournament-"+strings.TrimPrefix(c.path, "/api/tournaments/"))
	if err != nil {
		c.host.t.Fatal(err)
	}
	return list
}

// TestTournamentKill stops a server between pairing a round and opening its games. The next server opens each of these
// games once, and pairs nobody again.
func TestTournamentKill(t *testing.T) {
	l := &unopened{Log: live.NewMemory()}
	one := start(t, l, serve.Config{})
	one.ready()
	c := one.newClub("robin", "")
	ann, ben := one.visitor(), one.visitor()
	ann.do("POST", c.path+"/players", `{}`, 200, "")
	ben.do("POST", c.path+"/players", `{}`, 200, "")
	l.refuses.Store(true)
	c.host.do("POST", c.path+"/start", "", 200, "")
	one.eventually(func() string { return fmt.Sprint(one.get(c.path).number("round")) }, "1", "the round")
	if id, _ := c.game(ann); id != "" {
		t.Errorf("Ann is sent to game %s, which does not exist", id)
	}
	events := c.events(l)
	var last struct{ Games []struct{ ID string } }
	if err := json.Unmarshal(events[len(events)-1].Data, &last); err != nil || len(last.Games) != 1 {
		t.Fatalf("the last event is %s, %v", events[len(events)-1].Data, err)
	}
	paired := last.Games[0].ID
	if err := one.server.Close(); err != nil {
		t.Fatal(err)
	}
	if list, err := l.Read(t.Context(), paired); err != nil || len(list) != 0 {
		t.Fatalf("the game has %d events, %v, before the kill", len(list), err)
	}
	l.refuses.Store(false)
	two := start(t, l, serve.Config{})
	two.ready()
	ann.site, ben.site, c.host.site = two, two, two
	await.Until(t, "the game is opened", func() bool { list, err := l.Read(t.Context(), paired); return err == nil && len(list) == 1 })
	two.eventually(func() string { id, _ := c.game(ben); return id }, paired, "Ben's game")
	if a := c.resignAll(ben); a.number("round") != 1 || a.body["standings"].([]any)[0].(map[string]any)["points"] != 1.0 {
		t.Errorf("at the end: %v", a.body)
	}
}

// TestTournamentServers runs a round robin on two servers with one log. Each round is paired once. When the
// leading server stops, the other one goes on.
func TestTournamentServers(t *testing.T) {
	l, err := jet.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	one, two := start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{Shared: true})
	one.ready()
	two.ready()
	c := one.newClub("robin", "")
	people := []visitor{one.visitor(), one.visitor(), one.visitor(), one.visitor()}
	for _, v := range people {
		v.do("POST", c.path+"/players", `{}`, 200, "")
	}
	c.host.do("POST", c.path+"/start", "", 200, "")
	one.eventually(func() string { return fmt.Sprint(one.get(c.path).number("round")) }, "1", "the first round")
	if err := one.server.Close(); err != nil {
		t.Fatal(err)
	}
	c.host.site = two
	for i := range people {
		people[i].site = two
	}
	a := c.resignAll(people...)
	if a.number("round") != 3 {
		t.Errorf("at the end: %v", a.body)
	}
	rounds := 0
	for _, e := range c.events(l) {
		if strings.Contains(string(e.Data), `"kind":"paired"`) {
			rounds++
		}
	}
	if rounds != 3 {
		t.Errorf("%d rounds were paired, want 3", rounds)
	}
}

// TestTournamentForms leads a Swiss, a knockout and an arena of two people to games, and all but the arena to the end.
func TestTournamentForms(t *testing.T) {
	s := open(t)
	s.ready()
	for _, form := range []string{"swiss", "knockout", "arena"} {
		t.Run(form, func(t *testing.T) {
			host := s.visitor()
			host.do("POST", "/api/accounts", fmt.Sprintf(`{"name":"Olga %s",%s}`, form, password), 201, "")
			c := club{host, "/api/tournaments/" + host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, form, ""), 201, "").text("id")}
			ann := s.visitor()
			ann.do("POST", c.path+"/players", `{}`, 200, "")
			host.do("POST", c.path+"/players", `{}`, 200, "")
			host.do("POST", c.path+"/start", "", 200, "")
			if form == "arena" {
				s.eventually(func() string { c.game(host); id, _ := c.game(ann); return fmt.Sprint(id != "") }, "true", "the first game of an arena") // both are there
				host.do("DELETE", c.path, "", 200, "")
				return
			}
			if a := c.resignAll(ann); a.number("round") != 1 || a.text("why") != "done" || a.body["standings"].([]any)[0].(map[string]any)["wins"] != 1.0 {
				t.Errorf("at the end: %v", a.body)
			}
		})
	}
}

// TestTournamentCodes checks that tries of codes are limited before they are compared, so that guessing stops, and that
// right codes are not counted.
func TestTournamentCodes(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{PasswordRate: serve.Rate{Burst: 3, Second: 0.001}})
	s.ready()
	c := s.newClub("swiss", `,"code":"abc"`)
	for range 4 {
		s.visitor().do("POST", c.path+"/players", `{"code":"abc"}`, 200, "")
	}
	for range 3 {
		s.visitor().do("POST", c.path+"/players", `{"code":"x"}`, 403, "password")
	}
	if a := s.visitor().do("POST", c.path+"/players", `{"code":"x"}`, 429, "limited"); a.text("reason") != "limited.codes" {
		t.Errorf("too many codes: %v", a.body)
	}
	s.visitor().do("POST", c.path+"/players", `{"code":"abc"}`, 429, "limited")
}

// TestArenaPresence checks that an arena pairs the player who follows it with the level, and not with the one who has
// left.
func TestArenaPresence(t *testing.T) {
	now := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: now.Now})
	s.ready()
	c := s.newClub("arena", "")
	gone, ann := s.visitor(), s.visitor()
	gone.do("POST", c.path+"/players", `{}`, 200, "")
	ann.do("POST", c.path+"/players", `{}`, 200, "")
	now.add(time.Minute)
	lines := followClub(t, ann, c.path+"/events")
	c.host.do("POST", c.path+"/levels", `{"level":1}`, 200, "")
	c.host.do("POST", c.path+"/start", "", 200, "")
	await.Until(t, "a wave", func() bool { return c.host.do("GET", c.path, "", 200, "").number("round") == 1 })
	for line := range lines {
		if line["kind"] == "game" {
			break
		}
	}
	if id, _ := c.game(gone); id != "" {
		t.Errorf("somebody who has left has the game %s", id)
	}
}
