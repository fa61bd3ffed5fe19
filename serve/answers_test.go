package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// trouble is a log that can fail.
type trouble struct {
	live.Log
	fails atomic.Bool
}

var errTrouble = errors.New("the disk is gone")

func (l *trouble) Read(ctx context.Context, table string) ([]live.Entry, error) {
	if l.fails.Load() {
		return nil, errTrouble
	}
	return l.Log.Read(ctx, table)
}

func (l *trouble) Append(ctx context.Context, table string, after uint64, data []byte) (uint64, error) {
	if l.fails.Load() {
		return 0, errTrouble
	}
	return l.Log.Append(ctx, table, after, data)
}

// places are the servers and games of TestAnswers: one that works, one that takes
// one request of an address and no more, one whose log fails, one that has ended;
// and a game whose record is damaged.
type places struct {
	works, limits, fails, ended *site
	named                       *site // by no other name
	id, over, damaged           string
	first, loser                []string  // the tokens of the first seats of id and over
	idle                        [2]string // games in which the first side has not moved for longer than it may; the token of second is "b"
}

func newPlaces(t *testing.T) places {
	log := &trouble{Log: live.NewMemory()}
	damaged := "dddddddddddd"
	for _, table := range []string{damaged, live.StudyCategory.Stream(damaged)} {
		if _, err := log.Append(t.Context(), table, 0, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	idle := idleGames(t, log.Log)
	p := places{idle: idle, works: start(t, log, serve.Config{OpenRetention: -1, IdleRetention: -1}), damaged: damaged}
	id, first, _ := p.works.game(`{"game":"othello"}`)
	p.id, p.first = id, bearer(first)
	over, loser, _ := p.works.game(`{"game":"othello"}`)
	p.works.want(p.works.post("/api/games/"+over+"/moves", `{"move":"f4","ply":0}`, bearer(loser)...), 200, "")
	p.works.want(p.works.post("/api/games/"+over+"/resign", "", bearer(loser)...), 200, "")
	p.over, p.loser = over, bearer(loser)
	p.works.ready()
	p.limits = start(t, live.NewMemory(), serve.Config{RequestRate: serve.Rate{Burst: 1, Second: 0.001}})
	p.limits.get("/api/setup")
	failing := &trouble{Log: live.NewMemory()}
	p.fails = start(t, failing, serve.Config{})
	p.named = start(t, live.NewMemory(), serve.Config{Hosts: []string{}})
	failing.fails.Store(true)
	p.fails.down = true
	s, err := serve.New(t.Context(), live.NewMemory(), serve.Config{}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	p.ended = &site{t: t, url: h.URL, server: s, down: true}
	return p
}

// idleGames begins two games without a clock at service time 0, and then lets service time
// pass.
func idleGames(t *testing.T, l live.Log) (ids [2]string) {
	t.Helper()
	ids = [2]string{"aaaaaaaaaaab", "aaaaaaaaaaac"}
	for _, id := range ids {
		e, err := live.OpenTable(id, live.Settings{Game: "loa", Seats: [2]live.Player{{Name: "Ann", Secret: "a"}, {Name: "Ben", Secret: live.HashSecret("b")}}}, "", live.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Encode()
		if err == nil {
			_, err = l.Append(t.Context(), id, 0, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.WriteHeartbeat(t.Context(), 0, live.Heartbeat{Service: live.UntimedTurn}); err != nil {
		t.Fatal(err)
	}
	return ids
}

// asks are requests that come to an answer.
type asks struct {
	status       int
	site         *site
	method, path string
	body         string
	headers      []string
}

// TestAnswers checks that a server gives every answer that the document names for every
// address: the table has at least one request for each.
func TestAnswers(t *testing.T) {
	p := newPlaces(t)
	d := openapi(t)
	seen := map[string]bool{}
	for _, a := range slices.Concat(p.everywhere(d), p.done(), p.refused()) {
		op, status := a.send(t, d)
		if status != a.status {
			t.Errorf("%s %s %s: status %d, want %d", a.method, a.path, a.body, status, a.status)
		}
		seen[op+" "+strconv.Itoa(status)] = true
	}
	for path, ops := range d.Paths {
		for method, op := range ops {
			if ofStudy(path) {
				continue
			}
			for status := range op.Responses {
				if name := strings.ToUpper(method) + " " + path + " " + status; !seen[name] && status != "101" && name != "POST /api/replay 503" && !strings.HasPrefix(name, "POST /api/seeks") && name != "POST /api/games/{id}/say 409" && name != "POST /api/games/{id}/berserk 200" { // TestSocket, TestBusyReplay, TestPlayNow, TestPhrases and TestTournamentBerserk have those
					t.Errorf("no request here comes to %s", name)
				}
			}
		}
	}
}

// ofStudy reports whether a path has tests of its own: TestReviewAnswers, TestAnalysisAnswers,
// TestStudyAnswers, TestKeepYourGames, TestAccount, TestReports, TestChallenge and those of classes and tournaments.
func ofStudy(path string) bool {
	if strings.HasPrefix(path, "/api/class") || strings.HasPrefix(path, "/lti/") || strings.HasPrefix(path, "/api/tournaments") || strings.HasPrefix(path, "/api/challenges") || path == "/api/codes" || path == "/api/reports" || strings.HasPrefix(path, "/api/moderation") {
		return true
	}
	return strings.HasPrefix(path, "/api/account") || strings.HasPrefix(path, "/api/sessions") || strings.HasPrefix(path, "/api/people") || strings.Contains(path, "/review") || strings.HasPrefix(path, "/api/analysis/") || strings.HasPrefix(path, "/api/studies")
}

// send sends a request, checks the answer against the document, and returns the
// operation and the status.
func (a asks) send(t *testing.T, d document) (op string, status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), a.method, a.site.url+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(a.headers); i += 2 {
		r.Header.Set(a.headers[i], a.headers[i+1])
	}
	r.Host = r.Header.Get("Host") // the server's own if there is none
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	var body bytes.Buffer
	if got.Header.Get("Content-Type") != "application/x-ndjson; charset=utf-8" { // which may have no end
		if _, err := body.ReadFrom(got.Body); err != nil {
			t.Fatal(err)
		}
	}
	path, _, _ := strings.Cut(a.path, "?")
	for pattern := range d.Paths {
		if alike(pattern, path) && (op == "" || !strings.HasSuffix(pattern, "}")) { // a name before a parameter
			op = a.method + " " + pattern
		}
	}
	if strings.HasPrefix(got.Header.Get("Content-Type"), "application/json") {
		described(t, a.method, a.path, got.StatusCode, body.Bytes())
	}
	return op, got.StatusCode
}

// everywhere are the answers that nearly every address has: that there were too
// many requests, that a game is missing, that its record is damaged, that the log
// fails, that a page of another site asks, that it is too long or no JSON.
func (p places) everywhere(d document) (list []asks) {
	for path, ops := range d.Paths {
		if ofStudy(path) {
			continue
		}
		for method, op := range ops {
			method = strings.ToUpper(method)
			at := func(id string) string {
				return strings.NewReplacer("{id}", id, "{side}", "first").Replace(path)
			}
			add := func(status int, s *site, path, body string, headers ...string) {
				if _, ok := op.Responses[strconv.Itoa(status)]; ok {
					list = append(list, asks{status, s, method, path, body, headers})
				}
			}
			add(429, p.limits, at(p.id), "")
			add(421, p.named, at(p.id), "", "Host", "evil.example")
			if method == http.MethodPost {
				add(403, p.works, at(p.id), "", "Sec-Fetch-Site", "cross-site")
				add(400, p.works, at(p.id), "nonsense")
				add(413, p.works, at(p.id), fmt.Sprintf(`{"game":"%s"}`, strings.Repeat("x", 70<<10)))
			}
			if strings.Contains(path, "{id}") {
				add(404, p.works, at("aaaaaaaaaaaa"), "")
				if strings.HasPrefix(path, "/api/games/") {
					add(500, p.works, at(p.damaged), "")
				}
				add(503, p.fails, at("aaaaaaaaaaaa"), "")
			}
		}
	}
	return list
}

// puzzle returns the ID of a puzzle.
func (p places) puzzle() string {
	list, _ := p.works.get("/api/puzzles?game=loa").body["puzzles"].([]any)
	id, _ := list[0].(map[string]any)["id"].(string)
	return id
}

// done are the answers to requests that are done, where no other test of this
// table is.
func (p places) done() []asks {
	path := "/api/games/" + p.id
	// The players of this game do everything once, in this order.
	id, a, b := p.works.game(`{"game":"othello"}`)
	first, second := bearer(a), bearer(b)
	open := p.works.want(p.works.post("/api/games", `{"game":"chess"}`), 201, "").text("id")
	chess, white, _ := p.works.game(`{"game":"chess","options":{"halt":"claim"}}`)
	at := "/api/games/" + id
	days, _, waits := p.works.game(`{"game":"othello","clock":{"days":3}}`)
	w := p.works
	return []asks{
		{201, w, "POST", "/api/games", `{"game":"loa"}`, nil},
		{200, w, "GET", "/api/games", "", nil},
		{200, w, "GET", path, "", nil},
		{200, w, "POST", "/api/games/" + open + "/seats/first", `{"name":"Eve"}`, nil},
		{200, w, "GET", "/api/games/" + p.over + "/events", "", nil},
		{200, w, "GET", "/api/setup", "", nil},
		{200, w, "GET", "/api/puzzles?game=loa", "", nil},
		{400, w, "GET", "/api/puzzles?game=go", "", nil},
		{200, w, "GET", "/api/puzzles/today", "", nil},
		{200, w, "GET", "/api/seeks", "", nil},
		{200, w, "GET", "/api/puzzles/" + p.puzzle(), "", nil},
		{200, w, "GET", "/api/lessons?game=loa", "", nil},
		{400, w, "GET", "/api/lessons", "", nil},
		{200, w, "GET", "/api/openapi.json", "", nil},
		{200, w, "GET", "/healthz", "", nil},
		{200, w, "GET", "/metrics", "", nil},
		{200, w, "GET", "/readyz", "", nil},
		{503, p.ended, "GET", "/readyz", "", nil},
		{200, w, "GET", path + "/record", "", nil},
		{200, w, "GET", path + "/forms", "", nil},
		{200, w, "GET", path + "/board.svg", "", nil},
		{200, w, "GET", path + "/board.png", "", nil},
		{200, w, "GET", "/api/games/" + p.over + "/game.gif", "", nil},
		{200, w, "POST", "/api/replay", `{"game":"othello","moves":["f4"]}`, nil},
		{200, w, "POST", "/api/games/" + days + "/conditional", `{"lines":[["f4","f3"]]}`, bearer(waits)},
		{200, w, "GET", "/api/games/" + days + "/conditional", "", bearer(waits)},
		{422, w, "POST", "/api/games/" + days + "/conditional", `{"lines":[["f4"]]}`, bearer(waits)},
		{401, w, "POST", path + "/conditional", `{"lines":[]}`, nil},
		{401, w, "GET", path + "/conditional", "", nil},
		{403, w, "GET", path + "/conditional", "", bearer("nonsense")},
		{409, w, "POST", path + "/conditional", `{"lines":[]}`, p.first},
		{200, w, "POST", at + "/moves", `{"move":"f4","ply":0}`, first},
		{200, w, "POST", at + "/takeback", "", first},
		{200, w, "POST", at + "/decline", "", second},
		{200, w, "POST", at + "/offer", "", first},
		{200, w, "POST", at + "/accept", `{"what":"draw"}`, second},
		{200, w, "POST", at + "/say", `{"what":"game"}`, first},
		{401, w, "POST", at + "/say", `{"what":"game"}`, nil},
		{200, w, "POST", at + "/rematch", "", first},
		{200, w, "POST", "/api/games/" + chess + "/claim", "", bearer(white)},
		{200, w, "POST", "/api/games/" + chess + "/rematch", "", bearer(white)},
		{200, w, "POST", "/api/games/" + open + "/resign", "", p.tokenOf(open)},
		{200, w, "POST", "/api/games/" + p.idle[0] + "/claimwin", "", bearer("b")},
		{200, w, "POST", "/api/games/" + p.idle[1] + "/calloff", "", bearer("b")},
	}
}

// tokenOf takes the second seat of a game.
func (p places) tokenOf(id string) []string {
	return bearer(p.works.want(p.works.post("/api/games/"+id+"/seats/second", `{"name":"Eve"}`), 200, "").text("token"))
}

// refused are the refusals that are not the same everywhere.
func (p places) refused() (list []asks) {
	path, over := "/api/games/"+p.id, "/api/games/"+p.over
	w := p.works
	list = []asks{
		{201, w, "POST", "/api/games", `{"game":"chess"}`, []string{"Idempotency-Key", "0123456789abcdef"}},
		{409, w, "POST", "/api/games", `{"game":"loa"}`, []string{"Idempotency-Key", "0123456789abcdef"}},
		{404, w, "POST", "/api/games", `{"from":{"id":"aaaaaaaaaaaa"}}`, nil},
		{500, w, "POST", "/api/games", `{"from":{"id":"` + p.damaged + `"}}`, nil},
		{503, p.fails, "POST", "/api/games", `{"game":"loa"}`, nil},
		{400, w, "GET", "/api/games?state=dead", "", nil},
		{503, p.ended, "GET", "/api/games", "", nil},
		{400, w, "GET", path + "/events?from=x", "", nil},
		{400, w, "GET", path + "/record?form=doc", "", nil},
		{400, w, "GET", path + "/board.svg?ply=9", "", nil},
		{400, w, "GET", path + "/board.png?ply=9", "", nil},
		{409, w, "GET", path + "/record?form=pgn", "", nil},
		{409, w, "GET", path + "/game.gif", "", nil},
		{403, w, "GET", path + "/socket", "", []string{
			"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==", "Origin", "http://evil.example",
		}},
		{400, w, "GET", path + "/socket", "", []string{
			"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "12", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==",
		}},
		{426, w, "GET", path + "/socket", "", nil},
		{422, w, "POST", "/api/replay", `{"game":"othello","moves":["a1"]}`, nil},
		{409, w, "POST", path + "/seats/first", `{"name":"Eve"}`, nil},
		{409, w, "POST", path + "/rematch", "", p.first},
		{422, w, "POST", path + "/moves", `{"move":"a1","ply":0}`, p.first},
		{409, w, "POST", path + "/moves", `{"move":"f4","ply":5}`, p.first},
	}
	for verb, body := range commands {
		list = append(list, asks{401, w, "POST", path + "/" + verb, body, nil}, asks{403, w, "POST", path + "/" + verb, body, bearer("nonsense")})
		if verb != "moves" && verb != "rematch" {
			list = append(list, asks{409, w, "POST", over + "/" + verb, body, p.loser})
		}
	}
	return list
}
