package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// site is a server with its clients.
type site struct {
	t      testing.TB
	url    string
	server *serve.Server
	down   bool // requests are to fail
}

// start starts a server on a log.
func start(t testing.TB, l live.Log, c serve.Config) *site {
	t.Helper()
	if c.Hold == 0 {
		c.Hold = -1
	}
	s, err := serve.New(context.Background(), l, c.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		h.CloseClientConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return &site{t: t, url: h.URL, server: s}
}

func open(t testing.TB) *site {
	t.Helper()
	return start(t, live.NewMemory(), serve.Config{EnginePace: time.Millisecond})
}

// answer is what came back: the status and the fields of the object.
type answer struct {
	status int
	body   map[string]any
}

func (a answer) text(name string) string {
	s, _ := a.body[name].(string)
	return s
}

func (a answer) number(name string) float64 {
	n, _ := a.body[name].(float64)
	return n
}

// ask sends a request; headers come in pairs. Servers that share a log refuse requests for
// a moment if the machine is too slow for the heartbeats of their clocks: ask tries again.
func (s *site) ask(method, path, body string, headers ...string) answer {
	s.t.Helper()
	return s.parse(method, path, s.persist(method, path, body, headers...))
}

// persist sends a request again and again while the server can write nothing, as clients do.
func (s *site) persist(method, path, body string, headers ...string) plain {
	s.t.Helper()
	got := s.send(method, path, body, headers...)
	_ = await.Holds(func() bool { // otherwise what it said last counts
		if s.down || !got.unavailable() {
			return true
		}
		got = s.send(method, path, body, headers...)
		return false
	})
	return got
}

// parse checks an answer against the description of the API.
func (s *site) parse(method, path string, got plain) answer {
	s.t.Helper()
	data, a := []byte(got.body), answer{status: got.status}
	if err := json.Unmarshal(data, &a.body); err != nil {
		s.t.Fatalf("%s %s: %v in %q", method, path, err, data)
	}
	described(s.t, method, path, got.status, data)
	return a
}

func (s *site) get(path string, headers ...string) answer {
	s.t.Helper()
	return s.ask(http.MethodGet, path, "", headers...)
}

func (s *site) post(path, body string, headers ...string) answer {
	s.t.Helper()
	return s.ask(http.MethodPost, path, body, headers...)
}

// want checks the status of an answer, and the code of its problem if it is one.
func (s *site) want(a answer, status int, code string) answer {
	s.t.Helper()
	if a.status != status || code != "" && a.text("code") != code {
		s.t.Fatalf("status %d, %v, want %d %s", a.status, a.body, status, code)
	}
	return a
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// game opens a game and takes both seats.
func (s *site) game(body string) (id, first, second string) {
	s.t.Helper()
	made := s.want(s.post("/api/games", body), 201, "")
	id, key := made.text("id"), ""
	if secret := made.text("key"); secret != "" { // it is private
		key = "?key=" + secret
	}
	first = s.want(s.post("/api/games/"+id+"/seats/first"+key, `{"name":"Ann"}`), 200, "").text("token")
	second = s.want(s.post("/api/games/"+id+"/seats/second"+key, `{"name":"Ben"}`), 200, "").text("token")
	return id, first, second
}

// played opens a game with both seats and plays moves in it.
func (s *site) played(body string, moves ...string) (id, first, second string) {
	s.t.Helper()
	id, first, second = s.game(body)
	for i, mv := range moves {
		s.want(s.post("/api/games/"+id+"/moves", `{"move":"`+mv+`"}`, bearer([]string{first, second}[i%2])...), 200, "")
	}
	return id, first, second
}

// TestContract is the interface as it was promised.
func TestContract(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/games",
		`{"game":"othello","options":{"size":"10","pits":"a1,b2"},"clock":{"main":300,"increment":2},"seats":{"first":"open","second":"open"}}`), 201, "")
	id := made.text("id")
	if want := s.url + "/g/" + id; made.text("url") != want {
		t.Errorf("url %q, want %q", made.text("url"), want)
	}
	path := "/api/games/" + id
	first := s.want(s.post(path+"/seats/first", `{"name":"Ann"}`), 200, "").text("token")
	s.want(s.post(path+"/seats/first", `{"name":"Eve"}`), 409, "taken")
	second := s.want(s.post(path+"/seats/second", `{"name":"Ben"}`), 200, "").text("token")

	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`), 401, "token")
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer("nonsense")...), 403, "seat")
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer(second)...), 403, "turn")
	if a := s.want(s.post(path+"/moves", `{"move":"f4","ply":7}`, bearer(first)...), 409, "stale"); a.number("ply") != 0 {
		t.Errorf("the current ply is told as %v, want 0", a.body["ply"])
	}
	if a := s.want(s.post(path+"/moves", `{"move":"a1","ply":0}`, bearer(first)...), 422, "illegal"); !strings.HasSuffix(a.text("error"), "not a legal move: a1 is a pit") {
		t.Errorf("the reason is %q", a.text("error"))
	}
	if a := s.want(s.post(path+"/moves", `{"move":"F4","ply":0}`, bearer(first)...), 200, ""); a.number("ply") != 1 || a.text("turn") != "second" {
		t.Errorf("after the move: %v", a.body)
	}
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 409, "stale")

	v := s.want(s.get(path), 200, "")
	clocks, _ := v.body["clocks"].(map[string]any)
	moves, _ := v.body["moves"].([]any)
	options, _ := v.body["options"].(map[string]any)
	if v.text("game") != "othello" || options["size"] != "10" || v.number("ply") != 1 || v.text("turn") != "second" || v.text("result") != "ongoing" ||
		len(moves) != 1 || moves[0] != "f4" || !strings.HasPrefix(v.text("position"), "#9/1#8/") || clocks["first"].(float64) > 302_000 || clocks["second"].(float64) > 300_000 {
		t.Errorf("the game is shown as %v", v.body)
	}
	s.want(s.get("/api/games/aaaaaaaaaaaa"), 404, "missing")
	s.want(s.get("/api/games/..%2f..%2fetc"), 404, "missing")
	s.want(s.get("/api/nonsense"), 404, "missing")
}

// TestEvents checks that every event is on a line of its own, and that a stream can start
// after a ply.
func TestEvents(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello"}`)
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 200, "")
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"f3","ply":1}`, bearer(second)...), 200, "")
	lines := make(chan map[string]any, 20)
	go s.lines("/api/games/"+id+"/events?from=1", lines)
	if l := await.Receive(t, "a line", lines); l["kind"] != "moved" || l["move"] != "f3" || l["ply"] != 2.0 {
		t.Errorf("the first line from ply 1 is %v", l)
	}
	s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
	if l := await.Receive(t, "a line", lines); l["kind"] != "resigned" || l["result"] != "second wins" {
		t.Errorf("the next line is %v", l)
	}
	if l, ok := <-lines; ok {
		t.Errorf("after the end comes %v", l)
	}
	var kinds []string
	all := make(chan map[string]any, 20)
	s.lines("/api/games/"+id+"/events", all)
	for l := range all {
		kinds = append(kinds, l["kind"].(string))
	}
	if got, want := strings.Join(kinds, " "), "opened sat sat moved moved resigned"; got != want {
		t.Errorf("all lines: %s, want %s", got, want)
	}
}

func (s *site) lines(path string, out chan<- map[string]any) {
	defer close(out)
	r, _ := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	defer func() { _ = got.Body.Close() }()
	for in := bufio.NewScanner(got.Body); in.Scan(); {
		var v map[string]any
		if err := json.Unmarshal(bytes.TrimSpace(in.Bytes()), &v); err != nil {
			s.t.Errorf("line %q: %v", in.Bytes(), err)
		}
		described(s.t, http.MethodGet, path, got.StatusCode, in.Bytes())
		out <- v
	}
}

// TestEngines lets two engines play each game to its end.
func TestEngines(t *testing.T) {
	s := open(t)
	for _, game := range []string{`"othello","options":{"size":"4"}`, `"connect6","options":{"size":"6"}`, `"neighbors"`} {
		id := s.want(s.post("/api/games", `{"game":`+game+`,"seats":{"first":"random","second":"random"}}`), 201, "").text("id")
		lines := make(chan map[string]any, 2000)
		s.lines("/api/games/"+id+"/events", lines)
		last := map[string]any{}
		for l := range lines {
			last = l
		}
		if last["state"] != "over" || last["result"] == "ongoing" {
			t.Errorf("%s ends with %v", game, last)
		}
	}
}

// TestLists checks that games are in the lists of their states.
func TestLists(t *testing.T) {
	s := open(t)
	waits := s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	s.want(s.post("/api/games", `{"game":"loa","private":true}`), 201, "")
	s.unlisted()
	played, first, _ := s.game(`{"game":"chess","clock":{"days":2}}`)
	ended, other, _ := s.game(`{"game":"loa"}`)
	s.want(s.post("/api/games/"+ended+"/resign", "", bearer(other)...), 200, "")
	_ = first
	for _, c := range []struct{ query, want string }{
		{"?state=open", waits}, {"?state=live", played}, {"?state=over", ended}, {"?game=chess", played},
		{"?player=Ann&state=over&limit=1", ended}, {"?state=live&game=loa", ""},
	} {
		s.eventually(func() string { return s.ids(c.query) }, c.want, c.query)
	}
	s.want(s.get("/api/games?state=dead"), 400, "invalid")
	s.want(s.get("/api/games?limit=0"), 400, "invalid")
}

// unlisted opens, by address alone, a game that is in no list, and has it played
// and played again.
func (s *site) unlisted() {
	s.t.Helper()
	made := s.want(s.post("/api/games", `{"game":"loa","unlisted":true,"as":"first","name":"Ann"}`), 201, "")
	path := "/api/games/" + made.text("id")
	ben := s.want(s.post(path+"/seats/second", `{"name":"Ben"}`), 200, "").text("token")
	s.want(s.post(path+"/resign", "", bearer(ben)...), 200, "")
	s.want(s.post(path+"/rematch", "", bearer(made.text("token"))...), 200, "")
	next := s.want(s.post(path+"/rematch", "", bearer(ben)...), 200, "").text("next")
	for _, id := range []string{made.text("id"), next} {
		if v := s.want(s.get("/api/games/"+id), 200, ""); v.body["unlisted"] != true {
			s.t.Errorf("game %s is not unlisted: %v", id, v.body)
		}
		if page := s.page("/g/" + id); !strings.Contains(page, "Ann") || !strings.Contains(page, "og:image") {
			s.t.Errorf("the link has no preview: %s", page)
		}
	}
}

func (s *site) ids(query string) string {
	list, _ := s.want(s.get("/api/games"+query), 200, "").body["games"].([]any)
	var ids []string
	for _, g := range list {
		ids = append(ids, g.(map[string]any)["id"].(string))
	}
	return strings.Join(ids, " ")
}

// eventually waits for a value: lists follow the log.
func (s *site) eventually(f func() string, want, what string) {
	s.t.Helper()
	got := ""
	if !await.Holds(func() bool { got = f(); return got == want }) {
		s.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// deaf is a log that tells of no event of other servers.
type deaf struct{ live.Log }

func (deaf) Follow(ctx context.Context, _ uint64) iter.Seq2[live.Entry, error] {
	return func(func(live.Entry, error) bool) { <-ctx.Done() }
}

// TestRestart checks that a second server on the same log continues the games, with their
// seats and clocks; and that the first one, which has not read of that, reads the log
// before it refuses.
func TestRestart(t *testing.T) {
	l := live.NewMemory()
	s := start(t, deaf{l}, serve.Config{Shared: true})
	id, first, second := s.game(`{"game":"othello","clock":{"main":60}}`)
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 200, "")
	again := start(t, l, serve.Config{Shared: true})
	v := again.want(again.post("/api/games/"+id+"/moves", `{"move":"f3","ply":1}`, bearer(second)...), 200, "")
	if v.number("ply") != 2 {
		t.Errorf("after the restart: %v", v.body)
	}
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"a1","ply":1}`, bearer(first)...), 409, "stale") // by what it knows, it would be 403: the other side's turn
}

// TestLimits checks that refusals by a limit say why and until when.
func TestLimits(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{CreateRate: serve.Rate{Burst: 2, Second: 0.001}, MoveRate: serve.Rate{Burst: 6, Second: 0.001}})
	id, first, _ := s.game(`{"game":"othello"}`)
	s.want(s.post("/api/games", `{"game":"othello"}`), 201, "")
	a := s.want(s.post("/api/games", `{"game":"othello"}`), 429, "limited")
	until, err := time.Parse(time.RFC3339Nano, a.text("until"))
	if err != nil || time.Until(until) > 1000*time.Second || !strings.Contains(a.text("error"), "new games") || a.number("retry_after") < 1 {
		t.Errorf("the answer is %v", a.body)
	}
	for range 6 {
		s.want(s.post("/api/games/"+id+"/moves", `{"move":"a1","ply":0}`, bearer(first)...), 422, "illegal")
	}
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"a1","ply":0}`, bearer(first)...), 429, "limited")
}
