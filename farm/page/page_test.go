package page_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/farm/page"
	"quintet/farm/scheduler"
	"quintet/game"
	"quintet/lab/farmtest"
)

func maker(player string, g game.Game, threads int) (engine.Player, error) {
	return bots.NewPlayer(player, g, bots.Options{Threads: threads, Megabytes: 1})
}

// farmWithJob is a scheduler with a finished match whose players have hostile names.
func farmWithJob(t *testing.T) (h *scheduler.Scheduler, id string) {
	t.Helper()
	b := farm.Build{Program: farm.Program{Fingerprint: 7, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
	s, err := farm.NewSpec(b.Program, jobtypes.MatchName, &jobtypes.MatchSettings{
		Header: arena.Header{
			Game: "othello", Start: "4/1XO1/1OX1/4 X", Format: arena.RoundRobin, Seed: 5, Threads: 1, SPRT: &arena.SPRT{Elo0: 0, Elo1: 5},
			Players:  []arena.HeaderPlayer{{Name: "<script>alert(1)</script>", Player: "random", Limit: "depth=1"}, {Name: `"&b`, Player: "random", Limit: "depth=1"}},
			Openings: "random:2",
		},
		Games: 100, Openings: "random:2",
	})
	if err != nil {
		t.Fatal(err)
	}
	text, id, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	kinds := farm.Kinds{jobtypes.MatchName: jobtypes.Match(maker, nil)}
	h, err = scheduler.New(context.Background(), farmtest.NewMemory(), scheduler.Config{Build: b, Kinds: kinds, Now: time.Now, Random: rand.New(rand.NewPCG(1, 1))})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Submit(context.Background(), farm.SubmitRequest{Build: b, Spec: text})
	err = errors.Join(err, h.Hello("W", farm.Hello{Version: farm.Version, Build: b, Instance: "1", Host: "<b>host</b>", Slots: 1}))
	if err != nil {
		t.Fatal(err)
	}
	task, err := kinds.Task(s)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		taken, err := h.Take("W", farm.TakeRequest{Instance: "1", Slots: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range taken.Leases {
			for _, unit := range c.Units {
				payload, err := farm.Do(context.Background(), task, unit)
				if err != nil {
					t.Fatal(err)
				}
				if err := h.Result(context.Background(), "W", farm.Result{Lease: c.ID, Job: id, Unit: unit, Payload: string(payload)}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return h, id
}

func get(t *testing.T, h http.Handler, path, host string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(body)
}

// TestPages renders every page, and checks that names of players and machines are escaped.
func TestPages(t *testing.T) {
	h, id := farmWithJob(t)
	handler := page.New(h, func() map[string]string { return map[string]string{"W": "alice"} }, nil).Handler()
	for path, wants := range map[string][]string{
		"/":                               {"finished", "100 / 100", " undecided</td>", "alice", "&lt;b&gt;host"},
		"/jobs/" + id:                     {"100 of 100 games", `class="graph"`, "LLR", " (undecided)</p>", `class="band"`},
		"/jobs/" + id + "/games/1":        {"Game 1", "<svg", "Game 2"},
		"/jobs/" + id + "/games/2?ply=3":  {"3 of ", `aria-current="true"`},
		"/jobs/" + id + "/games/2?ply=-9": {"0 of "},
		"/metrics":                        {"quintet_farm_games 100", "quintet_farm_slots 1"},
		"/farm.css":                       {"--page"},
	} {
		code, body := get(t, handler, path, "127.0.0.1:7421")
		if code != http.StatusOK {
			t.Errorf("%s: status %d", path, code)
		}
		for _, want := range append(wants, "") {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %q:\n%s", path, want, body)
			}
		}
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "<b>host") {
			t.Errorf("%s: a name is not escaped", path)
		}
	}
}

// TestAPI checks that the API answers in JSON, errors included.
func TestAPI(t *testing.T) {
	h, id := farmWithJob(t)
	handler := page.New(h, func() map[string]string { return nil }, nil).Handler()
	for path, want := range map[string]int{
		"/api/jobs": 200, "/api/jobs/" + id: 200, "/api/jobs/" + id[:8]: 200, "/api/workers": 200, "/api/totals": 200, "/api/jobs/zzzz": 404,
	} {
		code, body := get(t, handler, path, "localhost")
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil || code != want {
			t.Errorf("%s: status %d, %v: want %d and JSON", path, code, err, want)
		}
	}
}

// TestRefusals checks the status codes of invalid requests.
func TestRefusals(t *testing.T) {
	h, id := farmWithJob(t)
	handler := page.New(h, func() map[string]string { return nil }, []string{"farm.example.org"}).Handler()
	for _, test := range []struct {
		path, host string
		want       int
	}{
		{"/nothing", "localhost", 404},
		{"/jobs/zzzz", "localhost", 404},
		{"/jobs/" + id + "/games/0", "localhost", 400},
		{"/jobs/" + id + "/games/x", "localhost", 400},
		{"/jobs/" + id + "/games/999999999", "localhost", 404},
		{"/", "farm.example.org", 200},
		{"/", "evil.example.org", 421},
		{"/", "[::1]:7421", 200},
	} {
		if code, _ := get(t, handler, test.path, test.host); code != test.want {
			t.Errorf("%s at %s: status %d, want %d", test.path, test.host, code, test.want)
		}
	}
}

// TestGraph checks that the graphs are well-formed for any data.
func TestGraph(t *testing.T) {
	for n := range 5 {
		var points []farm.Point
		for i := range n {
			points = append(points, farm.Point{Games: 2 * (i + 1), Elo: float64(i * 100), Margin: 50, LLR: float64(i)})
		}
		for _, svg := range page.Graphs(points) {
			if err := xml.Unmarshal([]byte(svg), new(struct{})); svg != "" && err != nil {
				t.Errorf("%d points: %v", n, err)
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%d points: %s", n, svg)
			}
		}
	}
}

// TestDeadlines checks that no request and no connection lasts for ever.
func TestDeadlines(t *testing.T) {
	s := page.New(nil, nil, nil).Server()
	for name, d := range map[string]time.Duration{"header": s.ReadHeaderTimeout, "request": s.ReadTimeout, "answer": s.WriteTimeout, "idle": s.IdleTimeout} {
		if d < time.Second || d > time.Minute {
			t.Errorf("%s: %s, want a second to a minute", name, d)
		}
	}
}
