package local_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/web/local"
)

// ask asks a service, and returns the status and the lines of its answer.
func ask(t *testing.T, s *local.Service, method, path, body string) (status int, lines []string) {
	t.Helper()
	status = s.Answer(t.Context(), local.Request{Method: method, Path: path, Body: []byte(body)}, func(line []byte) { lines = append(lines, string(line)) })
	return status, lines
}

// day is a moment at which searches begin: time stands still for them.
func day() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

// TestAnswer checks answers that the pages depend on. TestEngine of web/browser compares many more with WebAssembly's.
func TestAnswer(t *testing.T) {
	s := local.New(day, nil)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want                     []string
	}{
		{"a replay", "POST", "/api/replay", `{"game":"chess","moves":["e2e4"],"list":true}`, 200, []string{`"turn":"second"`, `"legal":20`, `"moves":[{"move":"`, `"from":`}},
		{"a position with its book", "POST", "/api/analysis/position", `{"game":"othello","options":{"start":"standard"},"moves":["d3"]}`, 200, []string{`"book":[{"move":`, `"ply":1`, `"turn":"second"`}},
		{"no position", "POST", "/api/analysis/position", `{"game":"othello","position":"xxxx/xxxx/xxxx/xxxx x"}`, 400, []string{`"field":"position"`}},
		{"an illegal move", "POST", "/api/replay", `{"game":"chess","moves":["e2e5"]}`, 422, []string{`"code":"illegal"`, `"error":"move 1: `}},
		{"a move of a level", "POST", "/engine/move", `{"game":"loa","level":"level:1","seed":1}`, 200, []string{`"move":"`, `"nodes":`}},
		{"a hint", "POST", "/engine/move", `{"game":"connect6","moves":[]}`, 200, []string{`"move":"`}},
		{"no level", "POST", "/engine/move", `{"game":"loa","level":"level:99"}`, 400, []string{`"field":"level"`}},
		{"a record", "POST", "/engine/record", `{"game":"neighbors","moves":["c0c2"],"players":["Ann","Level 1"],"date":"2026.11.22","result":"second wins","reason":"resignation"}`, 200, []string{`Ann`, `2026.11.22`, `c0c2`, `resignation`}},
		{"a review of nothing", "POST", "/engine/review", `{"game":"loa"}`, 400, []string{`no moves`}},
		{"no game", "GET", "/api/puzzles?game=go", ``, 400, []string{`"field":"game"`}},
		{"no puzzle", "GET", "/api/puzzles/chess-0", ``, 404, []string{`"reason":"puzzle"`}},
		{"puzzles of the day", "GET", "/api/puzzles/today", ``, 200, []string{`"day":"2026-11-22"`, `"game":"connect6"`}},
		{"what needs the server", "POST", "/api/games", `{}`, 404, []string{`is not available offline`}},
		{"no JSON", "POST", "/api/replay", `{`, 400, []string{`reading a request`}},
	} {
		status, lines := ask(t, s, c.method, c.path, c.body)
		text := strings.Join(lines, "\n")
		for _, want := range c.want {
			if status != c.status || !strings.Contains(text, want) {
				t.Errorf("%s: %d, want %d with %q: %.600s", c.name, status, c.status, want, text)
			}
		}
	}
}

// TestReview checks that a review comes turn by turn from the last move, and that an alternative is assessed.
func TestReview(t *testing.T) {
	s := local.New(day, nil)
	const game = `"game":"othello","options":{"size":"4","start":"standard"}`
	status, lines := ask(t, s, "POST", "/engine/review", `{`+game+`,"moves":["b1","a1","a2"]}`)
	if status != 200 || len(lines) != 4 || !strings.Contains(lines[0], `"id":"local"`) || !strings.Contains(lines[1], `"ply":3`) || !strings.Contains(lines[0], `"state":"running"`) || !strings.Contains(lines[3], `"state":"done"`) {
		t.Fatalf("%d, %d lines: %s", status, len(lines), lines)
	}
	var last struct{ Plies []json.RawMessage }
	if err := json.Unmarshal([]byte(lines[1]), &last); err != nil || len(last.Plies) != 1 {
		t.Fatalf("%v: %s", err, lines[1])
	}
	var ply struct{ Best, Move string }
	_ = json.Unmarshal(last.Plies[0], &ply) // checked below
	for move, accepted := range map[string]bool{ply.Best: true, "z9": false} {
		status, lines := ask(t, s, "POST", "/engine/try", `{`+game+`,"moves":["b1","a1"],"known":`+string(last.Plies[0])+`,"move":"`+move+`"}`)
		if got := strings.Contains(strings.Join(lines, ""), `"accepted":true`); got != accepted || (status == 200) != accepted {
			t.Errorf("instead of %s, %s: %d %s", ply.Move, move, status, lines)
		}
	}
}

// TestCancel checks that the server of a worker answers each request by its number, and ends one that is cancelled.
func TestCancel(t *testing.T) {
	type end struct{ n, status int }
	begun, ends := make(chan int, 1000), make(chan end, 2)
	s := local.NewServer(t.Context(), local.New(day, func() {}), func(n int, _ []byte) {
		select {
		case begun <- n:
		default: // enough are known
		}
	}, func(n, status int) { ends <- end{n, status} })
	s.Ask(1, local.Request{Method: "POST", Path: "/api/analysis/lines", Body: []byte(`{"game":"chess","lines":1}`)})
	if n := await.Receive(t, "a line of the analysis", begun); n != 1 {
		t.Fatalf("a line of request %d", n)
	}
	s.Cancel(1)
	if got := await.Receive(t, "the end of the analysis", ends); got != (end{1, 200}) {
		t.Errorf("cancelled: %v", got)
	}
	s.Ask(2, local.Request{Method: "GET", Path: "/nothing"})
	s.Wait()
	if got := await.Receive(t, "the second answer", ends); got != (end{2, 404}) {
		t.Errorf("the second request: %v", got)
	}
	s.Cancel(3) // which nobody has asked
}
