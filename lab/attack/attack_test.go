package attack

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/serve"
)

// target is a server that is attacked, with a game that nobody but its players may
// change.
type target struct {
	t      *testing.T
	at     string // host and port
	client *http.Client
	doc    document
	victim table
	other  table  // of the attacker
	study  string // that only its editor may change
}

// table is a game with the tokens of its seats.
type table struct {
	id     string
	tokens [2]string
}

// document is the OpenAPI document, as far as attacks need it.
type document struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	Parameters  []struct{ Name, In string }
	RequestBody struct {
		Content map[string]struct{ Schema schema }
	}
	Responses map[string]any
}

type schema struct {
	Ref        string `json:"$ref"`
	Properties map[string]schema
}

// begin starts a server without limits of requests, so that nothing but its own
// bounds protects it.
func begin(t *testing.T) *target {
	t.Helper()
	s, err := serve.New(t.Context(), live.NewMemory(), serve.Config{Hold: -1, Drain: time.Second, EngineTime: 10 * time.Millisecond, MaxConns: 200, TrustProxy: true})
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, l) }()
	a := &target{t: t, at: l.Addr().String(), client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
	t.Cleanup(func() {
		a.client.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil && !strings.Contains(err.Error(), "deadline") { // slow requests are cut off
			t.Error(err)
		}
	})
	if err := json.Unmarshal(a.ask(http.MethodGet, "/api/openapi.json", "", "").body, &a.doc); err != nil || len(a.doc.Paths) < 10 {
		t.Fatalf("the document has %d paths, %v", len(a.doc.Paths), err)
	}
	a.victim, a.other = a.open(`{"game":"othello"}`), a.open(`{"game":"othello"}`)
	var made struct{ ID string }
	if got := a.ask(http.MethodPost, "/api/studies", "", `{"game":"othello","moves":["e3"]}`); got.status != http.StatusCreated || json.Unmarshal(got.body, &made) != nil {
		a.t.Fatalf("making a study: %d %s", got.status, got.body)
	}
	a.study = made.ID
	return a
}

// answer is what came back; 0 if the server cut the request off.
type answer struct {
	status int
	body   []byte
}

func (a *target) ask(method, path, token, body string) answer {
	r, err := http.NewRequestWithContext(a.t.Context(), method, "http://"+a.at, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	r.URL.Opaque = path // as it is
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return a.do(r)
}

func (a *target) do(r *http.Request) answer {
	got, err := a.client.Do(r)
	if err != nil {
		return answer{}
	}
	defer func() { _ = got.Body.Close() }()
	if strings.HasPrefix(got.Header.Get("Content-Type"), "application/x-ndjson") { // it has no end
		return answer{status: got.StatusCode}
	}
	body, _ := io.ReadAll(io.LimitReader(got.Body, 64<<20)) // what came counts
	return answer{got.StatusCode, body}
}

func (a *target) open(body string) (g table) {
	a.t.Helper()
	var made struct{ ID, Token string }
	if got := a.ask(http.MethodPost, "/api/games", "", body); got.status != http.StatusCreated || json.Unmarshal(got.body, &made) != nil {
		a.t.Fatalf("opening a game: %d %s", got.status, got.body)
	}
	g.id = made.ID
	for i, side := range []string{"first", "second"} {
		got := a.ask(http.MethodPost, "/api/games/"+g.id+"/seats/"+side, "", `{}`)
		if err := json.Unmarshal(got.body, &made); err != nil || got.status != http.StatusOK {
			a.t.Fatalf("taking a seat: %d %s", got.status, got.body)
		}
		g.tokens[i] = made.Token
	}
	return g
}

// state is what of a game an attack might change.
type state struct {
	Events, Ply int
	State       string
	Legal       []struct{ Move string }
}

func (a *target) state(id string) (s state) {
	a.t.Helper()
	if got := a.ask(http.MethodGet, "/api/games/"+id, "", ""); got.status != http.StatusOK || json.Unmarshal(got.body, &s) != nil {
		a.t.Fatalf("looking at a game: %d %s", got.status, got.body)
	}
	return s
}

// moves checks that a game can continue, by making a move.
func (a *target) moves(g table) {
	a.t.Helper()
	s := a.state(g.id)
	if len(s.Legal) == 0 {
		return // it is over, or stands
	}
	for _, token := range g.tokens {
		got := a.ask(http.MethodPost, "/api/games/"+g.id+"/moves", token, fmt.Sprintf(`{"move":%q,"ply":%d}`, s.Legal[0].Move, s.Ply))
		if got.status == http.StatusOK {
			return
		}
	}
	a.t.Error("neither side can move")
}

// check checks that the API document names an answer and that it is no server error.
func (a *target) check(op operation, got answer, what string) {
	a.t.Helper()
	_, described := op.Responses[strconv.Itoa(got.status)]
	switch {
	case got.status >= 500 && got.status != http.StatusServiceUnavailable, got.status == http.StatusServiceUnavailable && !described:
		a.t.Errorf("%s: %d %.200s", what, got.status, got.body)
	case !described && !slices.Contains([]int{0, 301, 307, 308, 400, 404, 405}, got.status): // of the mux, or cut off
		a.t.Errorf("%s: %d is not described: %.200s", what, got.status, got.body)
	case got.status >= 400 && got.status != 405 && len(got.body) > 0 && !json.Valid(got.body) && described:
		a.t.Errorf("%s: %d is no JSON: %.200s", what, got.status, got.body)
	case len(got.body) > 8<<20:
		a.t.Errorf("%s: %d bytes", what, len(got.body))
	}
}

// unharmed checks that the server had no fault and stayed within a memory limit.
func (a *target) unharmed() {
	a.t.Helper()
	if metrics := string(a.ask(http.MethodGet, "/metrics", "", "").body); !strings.Contains(metrics, "quintet_ready") || strings.Contains(metrics, "quintet_faults_total{") {
		a.t.Errorf("the server had a fault: %s", metrics)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 256<<20 {
		a.t.Errorf("%d MB of memory are in use", m.HeapAlloc>>20)
	}
	a.moves(a.victim)
}

// hostile are values in JSON of all types and sizes that a field may be given.
func hostile() []string {
	nested := strings.Repeat("[", 400) + strings.Repeat("]", 400)
	return []string{
		`null`, `true`, `0`, `-1`, `1e308`, `-1e-400`, `99999999999999999999`, `1.5`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"\u202e\u200b\ufeff"`, "\"\xff\xfe\"", `"../../etc/passwd"`, `"%2e%2e%2f"`,
		`"' OR 1=1 --"`, `"<script>alert(1)</script>"`, `"=1+1"`, `"second"`, `"first"`, `"random"`, `"engine"`, `[]`, `[null]`, `["a","a"]`, `{}`, `{"":""}`, `{"size":"26"}`, `{"size":"-1"}`, `{"size":"9999999"}`,
		`{"main":9e18}`, `{"days":-1}`, `{"main":1,"increment":9223372036854775807}`, `{"id":"aaaaaaaaaaaa","ply":9223372036854775807}`, `{"first":"level:99","second":"x"}`,
		`"` + strings.Repeat("x", 900) + `"`, `"` + strings.Repeat("ü", 400) + `"`, nested, `[` + strings.Repeat(`"a1",`, 150) + `"a1"]`, `"` + strings.Repeat("8/", 400) + `"`, `tru`, `"unfinished`, `{"a":{"a":{"a":[{}]}}}`,
	}
}

// texts are the same for addresses and headers.
func texts() []string {
	return []string{
		"", "x", "..", "%2e%2e%2f%2e%2e", "%00", "%ff%fe", "-1", "0", "1e9", "99999999999999999999", "%27%20OR%201%3D1", "%F0%9F%92%A9", strings.Repeat("a", 3000), "aaaaaaaaaaaa", "first%00", "//", "%252e", "%0d%0aX:1", "true", "pgn", "all;b", "a&a=b",
	}
}

// fields returns the fields that the body of an operation may have.
func (d document) fields(op operation) (names []string) {
	s := op.RequestBody.Content["application/json"].Schema
	if s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// each calls a function with every operation.
func (a *target) each(f func(method, path string, op operation)) {
	for path, ops := range a.doc.Paths {
		for method, op := range ops {
			f(strings.ToUpper(method), path, op)
		}
	}
}

// fill puts a game and a side into a path, and the study into the path of one.
func (a *target) fill(path, id, side string) string {
	if strings.HasPrefix(path, "/api/studies/") && id == a.victim.id {
		id = a.study
	}
	return strings.NewReplacer("{id}", id, "{side}", side, "{student}", id, "{platform}", id, "{submission}", id, "{to}", id, "{round}", "1", "{player}", "1", "{name}", "a", "{a}", id, "{b}", id).Replace(path)
}

// TestFields attacks every field of every body with every kind of client that has no
// right to the victim's game, and checks that the game is unchanged.
func TestFields(t *testing.T) {
	a := begin(t)
	before := a.state(a.victim.id)
	who := map[string]string{"a stranger": "", "a seat of another game": a.other.tokens[0], "nonsense": strings.Repeat("t", 2000)}
	a.each(func(method, path string, op operation) {
		if method != http.MethodPost {
			return
		}
		for _, name := range a.doc.fields(op) {
			for i, value := range hostile() {
				for as, token := range who {
					if as != "a stranger" && i%5 != 0 && !strings.Contains(path, "{id}") {
						continue
					}
					at := a.fill(path, a.victim.id, "first")
					body := fmt.Sprintf(`{%q:%s}`, name, value)
					a.check(op, a.ask(method, at, token, body), as+": "+at+" "+body)
				}
			}
		}
	})
	if after := a.state(a.victim.id); after.Events != before.Events {
		t.Errorf("the game had %d events and has %d", before.Events, after.Events)
	}
	if got := a.ask(http.MethodGet, "/api/studies/"+a.study, "", ""); !strings.Contains(string(got.body), `"n":0,`) {
		t.Errorf("the study has changed: %s", got.body)
	}
	a.unharmed()
}

// TestOtherSeat checks that no request acts for the other side.
func TestOtherSeat(t *testing.T) {
	a := begin(t)
	a.moves(a.victim) // it is the second side's turn
	before := a.state(a.victim.id)
	a.each(func(method, path string, op operation) {
		if method != http.MethodPost || !strings.Contains(path, "{id}") {
			return
		}
		for _, body := range []string{
			`{"side":"second"}`, `{"side":"second","move":"` + before.Legal[0].Move + `","ply":1}`, `{"side":"second","what":"draw"}`, `{"side":"second","ply":0}`, `{"move":"` + before.Legal[0].Move + `","ply":1}`,
			`{"name":"Eve"}`, `{"side":"SECOND"}`, `{"side":["second"]}`, `{"side":"second","side":"first"}`,
		} {
			if !strings.Contains(body, `"second"`) && !strings.HasSuffix(path, "/moves") && !strings.Contains(path, "/seats/") {
				continue // that is a command for its own side
			}
			if strings.Count(body, "side") > 1 {
				continue // the last one counts, which is its own
			}
			for _, side := range []string{"first", "second", "third"} {
				a.check(op, a.ask(method, a.fill(path, a.victim.id, side), a.victim.tokens[0], body), path+" "+body)
			}
		}
	})
	if after := a.state(a.victim.id); after.Events != before.Events {
		t.Errorf("the game had %d events and has %d", before.Events, after.Events)
	}
	a.unharmed()
}

// TestParameters attacks every parameter of every address and every header.
func TestParameters(t *testing.T) {
	a := begin(t)
	a.each(func(method, path string, op operation) {
		for _, p := range op.Parameters {
			for _, text := range texts() {
				at := a.fill(path, a.victim.id, "first")
				r, err := http.NewRequestWithContext(t.Context(), method, "http://"+a.at, nil)
				if err != nil {
					t.Fatal(err)
				}
				switch p.In {
				case "path":
					at = a.fill(strings.Replace(path, "{"+p.Name+"}", text, 1), a.victim.id, "first")
				case "query":
					at += "?" + p.Name + "=" + text
				case "header":
					value, _ := url.PathUnescape(text)
					r.Header[p.Name] = []string{strings.Map(func(c rune) rune { return max(c, ' ') }, value)}
				}
				r.URL.Opaque = at
				a.check(op, a.do(r), method+" "+at)
			}
		}
	})
	a.unharmed()
}

// random attacks with random requests until a time, and returns how many there were.
func (a *target) random(until time.Time, r *rand.Rand) (n int) {
	values, words := hostile(), texts()
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	for ; time.Now().Before(until); n++ {
		a.each(func(method, path string, op operation) {
			body := "{"
			for i, name := range a.doc.fields(op) {
				if r.IntN(3) > 0 {
					continue
				}
				if body != "{" && i > 0 {
					body += ","
				}
				body += fmt.Sprintf("%q:%s", name, pick(values))
			}
			at := a.fill(path, pick([]string{a.other.id, a.victim.id, pick(words)}), pick([]string{"first", "second", "x"}))
			if len(op.Parameters) > 0 {
				at += "?" + op.Parameters[r.IntN(len(op.Parameters))].Name + "=" + pick(words)
			}
			token := pick([]string{"", a.other.tokens[0], a.other.tokens[1], "x"})
			a.check(op, a.ask(method, at, token, body+"}"), method+" "+at+" "+body)
		})
	}
	return n
}

// TestRandom is for the longer version alone.
func TestRandom(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("QUINTET_ATTACK"))
	if err != nil {
		t.Skip("QUINTET_ATTACK is not set, see make attack")
	}
	a := begin(t)
	rounds := a.random(time.Now().Add(d), rand.New(rand.NewPCG(1, 1)))
	t.Logf("%d random requests", rounds*len(a.doc.Paths))
	a.unharmed()
}
