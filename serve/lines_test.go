package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// feed is a stream of engine lines.
type feed struct {
	t    testing.TB
	body io.ReadCloser
	in   *bufio.Scanner
	stop context.CancelFunc
}

// feed asks for engine lines as an address, which it wants to get.
func (s *site) feed(t testing.TB, address, body string) *feed {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/analysis/lines", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", address)
	got, err := http.DefaultClient.Do(r) //nolint:bodyclose // leave closes it
	if err != nil {
		t.Fatal(err)
	}
	f := &feed{t, got.Body, bufio.NewScanner(got.Body), stop}
	t.Cleanup(f.leave)
	if got.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(got.Body) // it is only shown
		t.Fatalf("status %d: %s", got.StatusCode, text)
	}
	return f
}

// leave closes the connection.
func (f *feed) leave() {
	f.stop()
	_ = f.body.Close() // it may be closed
}

// feedLine is a line of the stream.
type feedLine struct {
	Place, Depth int
	Lines        []engineLine
	Done         bool
	Reason       string
}

// engineLine is one of the best lines.
type engineLine struct {
	Score  int
	Proved bool
	Chance float64
	Text   string
	PV     []string
}

// next returns the next line; ok is false at the end.
func (f *feed) next() (l feedLine, ok bool) {
	f.t.Helper()
	if !f.in.Scan() {
		return l, false
	}
	described(f.t, http.MethodPost, "/api/analysis/lines", http.StatusOK, f.in.Bytes())
	if err := json.Unmarshal(f.in.Bytes(), &l); err != nil {
		f.t.Errorf("line %q: %v", f.in.Bytes(), err)
	}
	return l, true
}

// lines returns the next line of the engine.
func (f *feed) lines() feedLine {
	f.t.Helper()
	for {
		if l, ok := f.next(); !ok || l.Depth > 0 {
			return l
		}
	}
}

// analyzing starts a server and waits until it knows the games in progress.
func analyzing(t testing.TB) *site {
	t.Helper()
	s := start(t, live.NewMemory(), serve.Config{TrustProxy: true})
	s.ready()
	return s
}

// TestAnalysisLines checks that lines get deeper until the value is proved, and then end.
func TestAnalysisLines(t *testing.T) {
	s := analyzing(t)
	f := s.feed(t, "10.0.0.1", `{"game":"chess","position":"k7/8/1K6/8/8/8/8/7R w","lines":1}`)
	depth, last, reason := 0, feedLine{}, ""
	for l, ok := f.next(); ok; l, ok = f.next() {
		switch {
		case l.Done:
			reason = l.Reason
		case l.Depth > 0:
			if l.Depth <= depth || len(l.Lines) != 1 {
				t.Errorf("after depth %d comes %+v", depth, l)
			}
			depth, last = l.Depth, l
		}
	}
	if reason != "exact" || len(last.Lines) != 1 || last.Lines[0].Text != "wins in 2" || !last.Lines[0].Proved || last.Lines[0].Chance != 1 || last.Lines[0].PV[0] != "h1h8" {
		t.Errorf("the analysis ends for %q with %+v, want wins in 2 by h1h8", reason, last)
	}
	over := s.feed(t, "10.0.0.1", `{"game":"connect6","position":"BBBBBB/6/6/6/6/6 W 2"}`)
	if l, ok := over.next(); !ok || !l.Done || l.Reason != "over" {
		t.Errorf("of a game that is over: %+v", l)
	}
}

// TestAnalysisValues checks that every legal move of Othello has a value.
func TestAnalysisValues(t *testing.T) {
	s := analyzing(t)
	f := s.feed(t, "10.0.0.1", `{"game":"othello","options":{"size":"4"},"values":true}`)
	var last feedLine
	for l, ok := f.next(); ok; l, ok = f.next() {
		if l.Depth > 0 {
			last = l
		}
	}
	unsolved := func(l engineLine) bool { return l.Text != "solved: -10" || !l.Proved }
	if len(last.Lines) != 4 || slices.ContainsFunc(last.Lines, unsolved) {
		t.Errorf("the values are %+v, want four solved", last.Lines)
	}
}

// TestAnalysisFair checks that four users with three lines each are served at the same
// time, and that a fifth waits, sees its place, and is served when another leaves.
func TestAnalysisFair(t *testing.T) {
	s := analyzing(t)
	var four []*feed
	for i, name := range []string{"chess", "loa", "neighbors", "connect6"} {
		four = append(four, s.feed(t, "10.0.0."+strconv.Itoa(i), `{"game":"`+name+`","lines":3}`))
	}
	for _, f := range four {
		if l := f.lines(); len(l.Lines) != 3 {
			t.Errorf("lines %+v, want 3", l)
		}
	}
	fifth := s.feed(t, "10.0.0.9", `{"game":"chess","lines":3}`)
	if l, ok := fifth.next(); !ok || l.Place != 1 && l.Depth == 0 {
		t.Errorf("the fifth got %+v, want its place", l)
	}
	for _, f := range four {
		f.leave()
	}
	if l := fifth.lines(); len(l.Lines) != 3 {
		t.Errorf("lines %+v, want 3", l)
	}
}

// TestAnalysisLeave checks that a client that leaves frees its places in the queue at
// once.
func TestAnalysisLeave(t *testing.T) {
	s := analyzing(t)
	for range 2 {
		var list []*feed
		for range 8 {
			list = append(list, s.feed(t, "10.0.0.1", `{"game":"chess","lines":5}`))
		}
		ninth := func() string {
			return s.post("/api/analysis/lines", `{"game":"loa"}`, "X-Forwarded-For", "10.0.0.1").text("reason")
		}
		if got := ninth(); got != "limited.jobs" {
			t.Errorf("the ninth analysis: %q, want limited.jobs", got)
		}
		for _, f := range list {
			f.leave()
		}
		s.eventually(func() string {
			metrics := s.send(http.MethodGet, "/metrics", "").body
			if strings.Contains(metrics, "\nquintet_jobs_active 0\n") && strings.Contains(metrics, "\nquintet_jobs_waiting 0\n") {
				return "idle"
			}
			return "busy"
		}, "idle", "the queue")
	}
}

// TestMaxJobs checks the configured limit of an address.
func TestMaxJobs(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{TrustProxy: true, MaxJobs: 9})
	s.ready()
	var last *feed
	for range 9 {
		last = s.feed(t, "10.0.0.1", `{"game":"chess","lines":5}`)
	}
	if l, ok := last.next(); !ok || l.Done {
		t.Errorf("the ninth analysis: %+v, %t, want it to wait or to run", l, ok)
	}
	if got := s.post("/api/analysis/lines", `{"game":"loa"}`, "X-Forwarded-For", "10.0.0.1").text("reason"); got != "limited.jobs" {
		t.Errorf("the tenth analysis: %q, want limited.jobs", got)
	}
}

// TestAnalysisOfLiveGame checks that the engine never analyses a position of a live game,
// and stops when a game reaches the position under analysis.
func TestAnalysisOfLiveGame(t *testing.T) {
	s := analyzing(t)
	moves := tenMoves()
	ask := askFor("othello", moves)
	f := s.feed(t, "10.0.0.1", ask)
	if l := f.lines(); len(l.Lines) != 3 {
		t.Errorf("before the game is there: %+v", l)
	}
	id, first, second := s.played(`{"game":"othello"}`, moves...)
	reason := ""
	for l, ok := f.next(); ok; l, ok = f.next() {
		reason = l.Reason
	}
	if reason != "running" {
		t.Errorf("the analysis ends for %q, want running", reason)
	}
	for _, headers := range [][]string{nil, bearer(first), bearer(second)} {
		if a := s.want(s.post("/api/analysis/lines", ask, headers...), 409, "running"); a.text("reason") != "running.position" {
			t.Errorf("reason %s", a.text("reason"))
		}
	}
	s.want(s.post("/api/analysis/position", `{"game":"othello","moves":["`+strings.Join(moves, `","`)+`"]}`), 200, "") // rules, no engine
	s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
	s.eventually(func() string { return s.post("/api/reviews", ask[:len(ask)-1]+`,"x":1}`).text("reason") }, "request", "the game is over")
}

// tenMoves are moves of Othello from the start.
func tenMoves() []string {
	return []string{"e3", "f3", "f4", "f5", "e6", "d3", "c3", "c4", "g5", "h6"}
}

// askFor returns the request for an analysis after moves.
func askFor(game string, moves []string) string {
	return `{"game":"` + game + `","lines":3,"moves":["` + strings.Join(moves, `","`) + `"]}`
}

// TestPositionsOfLiveGames checks which positions the engine refuses to whom, in games with and
// without secrets.
func TestPositionsOfLiveGames(t *testing.T) {
	moves := tenMoves()
	for _, c := range []struct {
		name, open         string
		given, played      int
		ask                []string // the moves to the position
		strangers, players int
	}{
		{"seven moves", `"x":0`, 0, 7, moves[:7], 202, 202},
		{"the position after the eighth move", `"x":0`, 0, 7, moves[:8], 409, 409},
		{"eight moves", `"x":0`, 0, 8, moves[:8], 409, 409},
		{"the position after the next move", `"x":0`, 0, 8, moves[:9], 409, 409},
		{"two moves ahead of it", `"x":0`, 0, 8, []string{"e3", "f3", "f4", "f5", "e6", "d3", "c3", "c4"}, 409, 409},
		{"its opening", `"x":0`, 0, 10, moves[:5], 202, 202},
		{"given moves", `"x":0`, 10, 0, moves, 202, 202},
		{"a move after given ones", `"x":0`, 9, 1, moves, 202, 202},
		{"a private game", `"private":true`, 0, 9, moves[:9], 202, 409},
		{"the next move of a private game", `"private":true`, 0, 9, moves, 202, 409},
		{"a game with a delay", `"delay":60`, 0, 9, moves[:9], 202, 409},
	} {
		s := analyzing(t)
		given := `"moves":["` + strings.Join(moves[:c.given], `","`) + `"],`
		if c.given == 0 {
			given = ""
		}
		id, first, second := s.game(`{"game":"othello",` + given + strings.Replace(c.open, `"x":0`, `"unlisted":true`, 1) + `}`)
		for i, mv := range moves[c.given : c.given+c.played] {
			s.want(s.post("/api/games/"+id+"/moves", `{"move":"`+mv+`"}`, bearer([]string{first, second}[(c.given+i)%2])...), 200, "")
		}
		s.followed()
		for headers, want := range map[string]int{"": c.strangers, first: c.players, second: c.players} {
			var h []string
			if headers != "" {
				h = bearer(headers)
			}
			ask := strings.Replace(askFor("othello", c.ask), `"lines":3,`, "", 1)
			if got := s.send(http.MethodPost, "/api/reviews", ask, h...).status; got != want {
				t.Errorf("%s: status %d with the token %q, want %d", c.name, got, headers, want)
			}
		}
	}
}

// followed waits until the server knows the positions of a game that is played after all others.
func (s *site) followed() {
	s.t.Helper()
	moves := []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "d7d6", "c2c3"}
	s.played(`{"game":"chess"}`, moves...)
	s.eventually(func() string {
		return strconv.Itoa(s.send(http.MethodPost, "/api/analysis/lines", askFor("chess", moves)).status)
	}, "409", "the positions of the last game")
}

// TestAnalysisAnswers checks every answer that the document names for an analysis.
func TestAnalysisAnswers(t *testing.T) {
	p, d := newPlaces(t), openapi(t)
	seen := map[string]bool{"POST /api/analysis/position 503": true} // TestBusyReplay has it
	s := analyzing(t)
	s.played(`{"game":"othello"}`, tenMoves()...)
	s.eventually(func() string {
		return strconv.Itoa(s.send(http.MethodPost, "/api/analysis/lines", askFor("othello", tenMoves())).status)
	}, "409", "the position of the game")
	list := []asks{
		{409, s, "POST", "/api/analysis/lines", askFor("othello", tenMoves()), nil},
		{503, p.ended, "POST", "/api/analysis/lines", `{"game":"loa"}`, nil},
	}
	for _, path := range []string{"/api/analysis/position", "/api/analysis/lines"} {
		list = append(list,
			asks{200, s, "POST", path, `{"game":"connect6","position":"BBBBBB/6/6/6/6/6 W 2"}`, nil},
			asks{400, s, "POST", path, `{"game":"loa","position":"x"}`, nil},
			asks{403, s, "POST", path, "", []string{"Sec-Fetch-Site", "cross-site"}},
			asks{413, s, "POST", path, `{"game":"` + strings.Repeat("x", 10<<20) + `"}`, nil},
			asks{421, p.named, "POST", path, "", []string{"Host", "evil.example"}},
			asks{422, s, "POST", path, `{"game":"loa","moves":["a1a1"]}`, nil},
			asks{429, p.limits, "POST", path, "", nil},
		)
	}
	for _, a := range list {
		op, status := a.send(t, d)
		if status != a.status {
			t.Errorf("%s %s: status %d, want %d", a.path, a.body, status, a.status)
		}
		seen[op+" "+strconv.Itoa(status)] = true
	}
	d.wantAll(t, "/api/analysis/", seen)
}

// wantAll expects all answers of the paths that begin like this to be seen.
func (d document) wantAll(t *testing.T, start string, seen map[string]bool) {
	t.Helper()
	for path, ops := range d.Paths {
		for method, op := range ops {
			for status := range op.Responses {
				if name := strings.ToUpper(method) + " " + path + " " + status; strings.HasPrefix(path, start) && !seen[name] {
					t.Errorf("no request here comes to %s", name)
				}
			}
		}
	}
}

// TestAnalysisLinesProblems checks that each invalid request is rejected with one clear
// sentence.
func TestAnalysisLinesProblems(t *testing.T) {
	s := analyzing(t)
	for _, c := range []struct{ body, reason, field, says string }{
		{`{"game":"loa","lines":0}`, "lines", "lines", "0 lines: expected 1 to 5"},
		{`{"game":"loa","lines":6}`, "lines", "lines", "6 lines: expected 1 to 5"},
		{`{"game":"loa","lines":-1}`, "lines", "lines", "expected 1 to 5"},
		{`{"game":"loa","lines":"3"}`, "request", "lines", "expected a whole number"},
		{`{"game":"loa","values":true}`, "lines", "values", "expected othello"},
		{`{"game":"loa","depth":9}`, "request", "depth", "expected game, options, position, moves, lines, values"},
		{`{"game":"chess","position":"8/8/8/8/8/8/8/8 w"}`, "position", "position", "there is no king"},
		{`{}`, "game", "game", "expected"},
	} {
		a := s.want(s.post("/api/analysis/lines", c.body), 400, "invalid")
		if a.text("reason") != c.reason || a.text("field") != c.field || !strings.Contains(a.text("error"), c.says) {
			t.Errorf("%s: %v, expected %s, %q", c.body, a.body, c.reason, c.says)
		}
	}
}
